//! `outflank weights info`: what is in a file of weights.

use std::path::PathBuf;

use clap::Args;
use outflank::eval::{
    ByteOrder, ErrorModel, Evaluation, Format, Knot, Linear, Packing, Parameters, WeightsFile,
};
use outflank::kernels::Network;
use outflank::kernels::geometry::{Geometry, corner, edax};
use serde::Serialize;

use crate::CommandError;
use crate::output::line;

/// Show what is in a weights file, or in an eval.dat of Edax's
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The file; - is standard input [default: the bundled weights]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Write one JSON object
    ///
    /// {file, format, version, checksum, kind, geometry, geometry_checksum, knots, bytes_on_disk, bytes_in_memory,
    /// resolution, error_model: [{empties, depth, reduced, sigma}], bias: {least, greatest}, classes: [{class, features,
    /// squares, weights, least, greatest, not_zero}], about}. The file is null for the bundled weights. The format is outflank or
    /// edax, the kind linear or network. The checksum is null in Edax's files, the error_model where there is none. The
    /// knots are the numbers of empty squares that have weights of their own. Knots, resolution and bias are null in a
    /// network. Weights are in units of 1/128 disc, and in memory they are multiples of the resolution, in the same units.
    /// Those of a network are the numbers in the rows of a class, in units of 1/128. Sigma is in discs, depth and reduced
    /// are in plies. The share not_zero is one of the weights of all knots, or of all numbers in rows.
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
    bias: Option<Range>,
    classes: Vec<Class>,
    about: String,
}

/// The weights of a class of features, or the numbers in its rows.
#[derive(Serialize)]
struct Class {
    class: &'static str,
    features: usize,
    squares: u32,
    /// For one knot, or in all rows.
    weights: usize,
    #[serde(flatten)]
    range: Range,
    not_zero: f64,
}

/// What the error model says of two searches.
#[derive(Serialize)]
struct Sigma {
    empties: u32,
    /// As many as empty squares where the search goes to the end.
    depth: u32,
    reduced: u32,
    sigma: f32,
}

/// The numbers of empty squares and the searches, deep and shallow, that the error model is shown for.
const SHOWN_EMPTIES: [u32; 4] = [12, 20, 30, 40];
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

    /// All that are shown.
    fn all(model: &ErrorModel) -> Vec<Sigma> {
        let of_empties =
            |empties| SHOWN_SEARCHES.map(|searches| Sigma::of(model, empties, searches));
        SHOWN_EMPTIES.into_iter().flat_map(of_empties).collect()
    }
}

#[derive(Serialize)]
struct Range {
    least: i16,
    greatest: i16,
}

impl Range {
    fn of(numbers: impl Iterator<Item = i16> + Clone) -> Range {
        Range {
            least: numbers.clone().min().unwrap_or(0),
            greatest: numbers.max().unwrap_or(0),
        }
    }
}

/// Writes what is in the file; the result is the exit status.
pub(super) fn run(arguments: &Arguments) -> Result<u8, CommandError> {
    let (name, found) = match &arguments.file {
        Some(path) => (Some(path.display().to_string()), super::load(path)?),
        None => (
            None,
            WeightsFile::embedded().ok_or(CommandError::NoWeights)?,
        ),
    };
    let info = info(name, &found);
    match arguments.json {
        true => line(crate::json::text(&info))?,
        false => write(&info)?,
    }
    Ok(0)
}

fn info(file: Option<String>, found: &WeightsFile) -> Info {
    let model = &found.model;
    let geometry = model.geometry();
    let linear = model.as_linear();
    let (kind, classes) = match &model.parameters {
        Parameters::Linear(linear) => ("linear", linear_classes(linear)),
        Parameters::Network(network) => ("network", network_classes(network)),
    };
    let (format, version, checksum) = match found.format {
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
        geometry: geometry.name,
        geometry_checksum: format!("{:08x}", model.geometry_checksum()),
        knots: linear.map(|linear| linear.knots().iter().map(|knot| knot.empties).collect()),
        bytes_on_disk: found.bytes,
        bytes_in_memory: Evaluation::new(model.clone()).values.resident_bytes(),
        resolution: linear.map(Linear::resolution),
        error_model: model.error.as_ref().map(Sigma::all),
        bias: linear.map(|linear| Range::of(linear.bias.into_iter())),
        classes,
        about: model.about.clone(),
    }
}

fn linear_classes(linear: &Linear) -> Vec<Class> {
    let classes = edax::CLASSES.iter().enumerate();
    let of_class = |(i, class): (usize, &outflank::kernels::geometry::Class)| {
        let range = Packing::get().range(i);
        let of_knot = |knot: &Knot| knot.weights[range.clone()].to_vec();
        let weights: Vec<i16> = linear.knots().iter().flat_map(of_knot).collect();
        self::class(&edax::GEOMETRY, class.name, range.len(), &weights)
    };
    classes.map(of_class).collect()
}

fn network_classes(network: &Network) -> Vec<Class> {
    let of_class = |class: &outflank::kernels::geometry::Class| {
        let rows = network.class(class.name).expect("it is listed");
        let numbers = rows.iter().flat_map(|row| row.0.map(i16::from));
        let numbers: Vec<i16> = numbers.collect();
        self::class(&corner::GEOMETRY, class.name, numbers.len(), &numbers)
    };
    corner::CLASSES.iter().map(of_class).collect()
}

/// What is to be said of a class with these weights.
fn class(geometry: &Geometry, name: &'static str, count: usize, weights: &[i16]) -> Class {
    let of_class = || geometry.features.iter().filter(|one| one.class == name);
    let not_zero = weights.iter().filter(|&&weight| weight != 0).count();
    Class {
        class: name,
        features: of_class().count(),
        squares: of_class().next().map_or(0, |one| one.squares.len()) as u32,
        weights: count,
        range: Range::of(weights.iter().copied()),
        not_zero: not_zero as f64 / weights.len() as f64,
    }
}

fn write(info: &Info) -> std::io::Result<()> {
    let name = info.file.as_deref();
    line(name.unwrap_or("the bundled weights"))?;
    line(format_args!(
        "format       {} {}",
        info.format, info.version
    ))?;
    if let Some(checksum) = &info.checksum {
        line(format_args!("checksum     {checksum}"))?;
    }
    line(format_args!(
        "geometry     {} ({})",
        info.geometry, info.geometry_checksum
    ))?;
    line(format_args!("kind         {}", info.kind))?;
    if let Some(knots) = &info.knots {
        let knots: Vec<String> = knots.iter().map(u8::to_string).collect();
        line(format_args!(
            "knots        {}, at {} empty squares",
            knots.len(),
            knots.join(" ")
        ))?;
    }
    line(format_args!("on disk      {} bytes", info.bytes_on_disk))?;
    let multiples = info
        .resolution
        .map(|resolution| format!(", weights in multiples of {resolution}/128 disc"));
    line(format_args!(
        "in memory    {} bytes{}",
        info.bytes_in_memory,
        multiples.unwrap_or_default()
    ))?;
    line(format_args!(
        "error model  {}",
        match info.error_model {
            Some(_) => "as below",
            None => "none",
        }
    ))?;
    if let Some(bias) = &info.bias {
        line(format_args!(
            "bias         {} to {}",
            bias.least, bias.greatest
        ))?;
    }
    line("")?;
    let unit = if info.bias.is_some() {
        "1/128 disc"
    } else {
        "1/128"
    };
    line(format_args!(
        "class  features  squares  weights   least  greatest  not zero   (in {unit})"
    ))?;
    for class in &info.classes {
        line(format_args!(
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
        line("")?;
        sigma_table(sigmas)?;
    }
    if !info.about.is_empty() {
        line("")?;
    }
    for text in info.about.lines() {
        line(text)?;
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
    line(format_args!(
        "empties{}   (standard deviation in discs of a search of so many plies less a shallower one)",
        columns.concat()
    ))?;
    for row in sigmas.chunks(SHOWN_SEARCHES.len()) {
        let cells = row.iter().map(|one| format!("{:>10.2}", one.sigma));
        line(format_args!(
            "{:>7}{}",
            row[0].empties,
            cells.collect::<String>()
        ))?;
    }
    Ok(())
}
