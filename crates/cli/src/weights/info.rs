//! `outflank weights info`: contents of a weights file.

use std::path::PathBuf;

use clap::Args;
use outflank::eval::{
    ByteOrder, ErrorModel, Format, Linear, Parameters, WeightLayout, WeightsFile,
};
use outflank::kernels::Network;
use outflank::kernels::geometry::{self, Geometry, corner, edax};
use serde::Serialize;

use crate::CommandError;
use crate::console::print_line;

/// Show the contents of a weights file, or of an eval.dat of Edax
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// File to show; - is standard input [default: the built-in weights]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Write one JSON object
    ///
    /// {file, format, version, checksum, kind, geometry, geometry_checksum, knots, bytes_on_disk, bytes_in_memory,
    /// resolution, error_model: [{empties, depth, reduced, sigma}], bias: {least, greatest}, classes: [{class,
    /// features, squares, weights, least, greatest, not_zero}], about}. The file is null for the built-in weights. The
    /// format is outflank or edax, the kind linear or network. The checksum is null in files of Edax, and error_model
    /// is null in files without one. Knots are the numbers of empty squares that have their own weights. Knots,
    /// resolution and bias are null in a network. Linear weights are in units of 1/128 disc. In memory they are
    /// multiples of the resolution, which has the same unit. The weights of a network are the numbers in the rows of a
    /// class, in units of 1/128. Sigma is in discs; depth and reduced are in plies. The share not_zero counts the
    /// weights of all knots, or all numbers in rows.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  outflank weights info
  outflank weights info --json eval.dat";

#[derive(Serialize)]
struct Info {
    file: Option<String>,
    format: &'static str,
    version: String,
    checksum: Option<String>,
    kind: &'static str,
    geometry: &'static str,
    geometry_checksum: String,
    knots: Option<Vec<u8>>,
    bytes_on_disk: usize,
    bytes_in_memory: usize,
    resolution: Option<u32>,
    error_model: Option<Vec<Sigma>>,
    bias: Option<WeightRange>,
    classes: Vec<ClassInfo>,
    about: String,
}

/// Statistics of a class of features: its linear weights, or the numbers in its rows of a network.
#[derive(Serialize)]
struct ClassInfo {
    class: &'static str,
    features: usize,
    squares: u32,
    /// Number of weights at one knot, or of numbers in all rows.
    weights: usize,
    #[serde(flatten)]
    range: WeightRange,
    not_zero: f64,
}

/// Standard deviation of the difference between a deep and a shallow search.
#[derive(Serialize)]
struct Sigma {
    empties: u32,
    /// Equal to `empties` for a search to the end.
    depth: u32,
    reduced: u32,
    sigma: f32,
}

/// Numbers of empty squares in the table of sigmas.
const SHOWN_EMPTIES: [u32; 4] = [12, 20, 30, 40];

/// Deep and shallow searches in the table of sigmas.
const SHOWN_SEARCHES: [(Depth, u32); 4] = [
    (Depth::Plies(4), 2),
    (Depth::Plies(8), 4),
    (Depth::Plies(12), 6),
    (Depth::End, 4),
];

#[derive(Clone, Copy)]
enum Depth {
    Plies(u32),
    End,
}

impl Sigma {
    fn of(model: &ErrorModel, empties: u32, (depth, reduced): (Depth, u32)) -> Sigma {
        let depth = match depth {
            Depth::Plies(plies) => plies.min(empties),
            Depth::End => empties,
        };
        Sigma {
            empties,
            depth,
            reduced,
            sigma: model.sigma(empties, depth, reduced),
        }
    }

    /// All shown values.
    fn all(model: &ErrorModel) -> Vec<Sigma> {
        let of_empties =
            |empties| SHOWN_SEARCHES.map(|searches| Sigma::of(model, empties, searches));
        SHOWN_EMPTIES.into_iter().flat_map(of_empties).collect()
    }
}

#[derive(Serialize)]
struct WeightRange {
    least: i16,
    greatest: i16,
}

impl WeightRange {
    fn of(numbers: impl Iterator<Item = i16> + Clone) -> WeightRange {
        WeightRange {
            least: numbers.clone().min().unwrap_or(0),
            greatest: numbers.max().unwrap_or(0),
        }
    }
}

/// Writes the contents of the file and returns the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let (name, weights) = match &arguments.file {
        Some(path) => (Some(path.display().to_string()), super::load(path)?),
        None => (
            None,
            WeightsFile::embedded().ok_or(CommandError::no_weights())?,
        ),
    };
    let info = info(name, weights);
    match arguments.json {
        true => print_line(crate::json::to_line(&info))?,
        false => write(&info)?,
    }
    Ok(0)
}

fn info(file: Option<String>, weights: WeightsFile) -> Info {
    let model = weights.model;
    let linear = model.as_linear();
    let (kind, classes) = match &model.parameters {
        Parameters::Linear(linear) => ("linear", linear_classes(linear)),
        Parameters::Network(network) => ("network", network_classes(network)),
    };
    let (format, version, checksum) = match weights.format {
        Format::Outflank { version, checksum } => {
            let checksum = format!("{checksum:08x}");
            ("outflank", version.to_string(), Some(checksum))
        }
        Format::Edax {
            version: [version, release, build],
            date,
            order,
        } => {
            let order = match order {
                ByteOrder::Little => "little-endian",
                ByteOrder::Big => "big-endian",
            };
            let version = format!("{version}.{release}.{build}, date {date}, {order}");
            ("edax", version, None)
        }
    };
    Info {
        file,
        format,
        version,
        checksum,
        kind,
        geometry: model.geometry().name,
        geometry_checksum: format!("{:08x}", model.geometry_checksum()),
        knots: linear.map(|linear| linear.knots().iter().map(|knot| knot.empties).collect()),
        bytes_on_disk: weights.bytes,
        bytes_in_memory: model.parameters.resident_bytes(),
        resolution: linear.map(Linear::resolution),
        error_model: model.error.as_ref().map(Sigma::all),
        bias: linear.map(|linear| WeightRange::of(linear.bias.into_iter())),
        classes,
        about: model.about,
    }
}

fn linear_classes(linear: &Linear) -> Vec<ClassInfo> {
    let classes = edax::CLASSES.iter().enumerate();
    let of_class = |(i, class): (usize, &geometry::Class)| {
        let range = WeightLayout::get().range(i);
        let knots = linear.knots().iter();
        let weights = knots.flat_map(|knot| &knot.weights[range.clone()]);
        let weights = weights.copied();
        class_info(&edax::GEOMETRY, class.name, range.len(), weights)
    };
    classes.map(of_class).collect()
}

fn network_classes(network: &Network) -> Vec<ClassInfo> {
    let of_class = |class: &geometry::Class| {
        let rows = network.class(class.name).expect("a listed class");
        let numbers = rows.iter().flat_map(|row| row.0.map(i16::from));
        class_info(
            &corner::GEOMETRY,
            class.name,
            numbers.clone().count(),
            numbers,
        )
    };
    corner::CLASSES.iter().map(of_class).collect()
}

/// Computes the statistics of the class `name` from its weights.
fn class_info(
    geometry: &Geometry,
    name: &'static str,
    count: usize,
    weights: impl Iterator<Item = i16> + Clone,
) -> ClassInfo {
    let of_class = || {
        geometry
            .features
            .iter()
            .filter(|feature| feature.class == name)
    };
    let not_zero = weights.clone().filter(|&weight| weight != 0).count();
    ClassInfo {
        class: name,
        features: of_class().count(),
        squares: of_class().next().map_or(0, |feature| feature.squares.len()) as u32,
        weights: count,
        not_zero: not_zero as f64 / weights.clone().count() as f64,
        range: WeightRange::of(weights),
    }
}

fn write(info: &Info) -> std::io::Result<()> {
    let name = info.file.as_deref();
    print_line(name.unwrap_or("the bundled weights"))?;
    print_line(format_args!(
        "format       {} {}",
        info.format, info.version
    ))?;
    if let Some(checksum) = &info.checksum {
        print_line(format_args!("checksum     {checksum}"))?;
    }
    print_line(format_args!(
        "geometry     {} ({})",
        info.geometry, info.geometry_checksum
    ))?;
    print_line(format_args!("kind         {}", info.kind))?;
    if let Some(knots) = &info.knots {
        let knots: Vec<String> = knots.iter().map(u8::to_string).collect();
        print_line(format_args!(
            "knots        {}, at {} empty squares",
            knots.len(),
            knots.join(" ")
        ))?;
    }
    print_line(format_args!("on disk      {} bytes", info.bytes_on_disk))?;
    let multiples = info
        .resolution
        .map(|resolution| format!(", weights in multiples of {resolution}/128 disc"));
    print_line(format_args!(
        "in memory    {} bytes{}",
        info.bytes_in_memory,
        multiples.unwrap_or_default()
    ))?;
    print_line(format_args!(
        "error model  {}",
        match info.error_model {
            Some(_) => "as below",
            None => "none",
        }
    ))?;
    if let Some(bias) = &info.bias {
        print_line(format_args!(
            "bias         {} to {}",
            bias.least, bias.greatest
        ))?;
    }
    print_line("")?;
    let unit = if info.bias.is_some() {
        "1/128 disc"
    } else {
        "1/128"
    };
    print_line(format_args!(
        "class  features  squares  weights   least  greatest  not zero   (in {unit})"
    ))?;
    for class in &info.classes {
        print_line(format_args!(
            "{:<5}  {:>8}  {:>7}  {:>7}  {:>6}  {:>8}  {:>7.1}%",
            class.class,
            class.features,
            class.squares,
            class.weights,
            class.range.least,
            class.range.greatest,
            100.0 * class.not_zero
        ))?;
    }
    if let Some(sigmas) = &info.error_model {
        print_line("")?;
        sigma_table(sigmas)?;
    }
    if !info.about.is_empty() {
        print_line("")?;
    }
    for text in info.about.lines() {
        print_line(text)?;
    }
    Ok(())
}

fn sigma_table(sigmas: &[Sigma]) -> std::io::Result<()> {
    let columns = SHOWN_SEARCHES.map(|(depth, reduced)| {
        let depth = match depth {
            Depth::Plies(plies) => plies.to_string(),
            Depth::End => "end".to_owned(),
        };
        format!("{:>10}", format!("{depth} - {reduced}"))
    });
    print_line(format_args!(
        "empties{}   (standard deviation in discs of a search of so many plies less a shallower one)",
        columns.concat()
    ))?;
    for row in sigmas.chunks(SHOWN_SEARCHES.len()) {
        let cells = row.iter().map(|cell| format!("{:>10.2}", cell.sigma));
        print_line(format_args!(
            "{:>7}{}",
            row[0].empties,
            cells.collect::<String>()
        ))?;
    }
    Ok(())
}
