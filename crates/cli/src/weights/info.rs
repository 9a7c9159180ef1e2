//! `outflank weights info`: contents of a weights file.

use std::path::PathBuf;

use clap::Args;
use outflank::eval::{
    ByteOrder, ErrorModel, Format, Linear, Networks, Parameters, WeightLayout, WeightsFile,
};
use outflank::kernels::geometry::{self, Geometry, corner, edax};
use outflank::kernels::network::{Row, WIDTH};
use serde::Serialize;

use crate::CommandError;
use crate::console::print_line;
use crate::error::NoWeights;

/// Show the contents of a weights file, or of an eval.dat of Edax
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// File to show; - is standard input [default: the built-in weights]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,

    /// Write one JSON object
    ///
    /// {file, format, version, checksum, kind, geometry, geometry_checksum, knots, networks: [{from, to}],
    /// bytes_on_disk, bytes_in_memory, resolution, error_model: [{empties, depth, reduced, sigma}], bias: {least,
    /// greatest}, classes: [{class, features, squares, weights, least, greatest, not_zero}], about}. The file is null
    /// for the built-in weights. The format is outflank or edax, the kind linear or network. The checksum is null in
    /// files of Edax, and error_model is null in files without one. Knots are the numbers of empty squares that have
    /// their own weights. Each of the networks evaluates `from` to `to` empty squares; `networks` is null for linear
    /// weights. Knots, resolution and bias are null for networks. Linear weights are in units of 1/128 disc. In memory
    /// they are multiples of the resolution, which has the same unit. The weights of a network are the numbers
    /// in the rows of a class, in units of 1/128. Sigma is in discs; depth and reduced are in plies. The number
    /// `weights` is that of one knot or one network; least, greatest and the share not_zero cover all of them.
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
    networks: Option<Vec<Phase>>,
    bytes_on_disk: usize,
    bytes_in_memory: usize,
    resolution: Option<u32>,
    error_model: Option<Vec<Sigma>>,
    bias: Option<WeightRange>,
    classes: Vec<ClassInfo>,
    about: String,
}

/// Numbers of empty squares of the positions that a network evaluates.
#[derive(Serialize)]
struct Phase {
    from: u32,
    to: u32,
}

/// Statistics of a class of features: its linear weights, or the numbers in its rows of all networks.
#[derive(Serialize)]
struct ClassInfo {
    class: &'static str,
    features: usize,
    squares: usize,
    /// Number of weights at one knot, or of numbers in all rows of one network.
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

/// Depths of the deep and shallow searches in the table of sigmas; `END` is a search to the end.
const SHOWN_SEARCHES: [(u32, u32); 4] = [(4, 2), (8, 4), (12, 6), (END, 4)];

const END: u32 = u32::MAX;

/// All shown values of an error model.
fn sigmas(model: &ErrorModel) -> Vec<Sigma> {
    let of_empties = |empties| {
        SHOWN_SEARCHES.map(|(depth, reduced): (u32, u32)| {
            let depth = depth.min(empties);
            let sigma = model.sigma(empties, depth, reduced);
            Sigma {
                empties,
                depth,
                reduced,
                sigma,
            }
        })
    };
    SHOWN_EMPTIES.into_iter().flat_map(of_empties).collect()
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
        None => (None, WeightsFile::embedded().ok_or(NoWeights)?),
    };
    let info = info(name, weights);
    print_line(match arguments.json {
        true => crate::json::to_line(&info),
        false => text(&info),
    })?;
    Ok(0)
}

fn info(file: Option<String>, weights: WeightsFile) -> Info {
    let model = weights.model;
    let linear = model.as_linear();
    let (kind, classes, networks) = match &model.parameters {
        Parameters::Linear(linear) => ("linear", linear_classes(linear), None),
        Parameters::Networks(networks) => {
            let phases = networks.phases();
            let phases = phases.map(|(empties, _)| Phase {
                from: *empties.start(),
                to: *empties.end(),
            });
            ("network", network_classes(networks), Some(phases.collect()))
        }
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
        networks,
        bytes_on_disk: weights.bytes,
        bytes_in_memory: model.parameters.resident_bytes(),
        resolution: linear.map(Linear::resolution),
        error_model: model.error.as_ref().map(sigmas),
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
        class_info(&edax::GEOMETRY, class.name, range.len(), weights.copied())
    };
    classes.map(of_class).collect()
}

fn network_classes(networks: &Networks) -> Vec<ClassInfo> {
    let of_class = |class: &geometry::Class| {
        let rows: Vec<&Row> = networks
            .phases()
            .flat_map(|(_, network)| network.class(class.name).expect("a listed class"))
            .collect();
        let numbers = rows.iter().flat_map(|row| row.0.map(i16::from));
        let count = class.weights() * WIDTH;
        class_info(&corner::GEOMETRY, class.name, count, numbers)
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
    let features = geometry.features.iter();
    let features: Vec<_> = features.filter(|feature| feature.class == name).collect();
    let not_zero = weights.clone().filter(|&weight| weight != 0).count();
    ClassInfo {
        class: name,
        features: features.len(),
        squares: features.first().map_or(0, |feature| feature.squares.len()),
        weights: count,
        not_zero: not_zero as f64 / weights.clone().count() as f64,
        range: WeightRange::of(weights),
    }
}

/// Formats the contents as a list of properties and tables.
fn text(info: &Info) -> String {
    let name = info.file.as_deref().unwrap_or("the built-in weights");
    let version = format!("{} {}", info.format, info.version);
    let geometry = format!("{} ({})", info.geometry, info.geometry_checksum);
    let knots = info.knots.as_ref().map(|knots| {
        let empties: Vec<String> = knots.iter().map(u8::to_string).collect();
        let empties = empties.join(" ");
        format!("{}, at {empties} empty squares", knots.len())
    });
    let networks = info.networks.as_ref().map(|phases| {
        let phases = phases.iter();
        let phases: Vec<_> = phases
            .map(|phase| format!("{} to {}", phase.from, phase.to))
            .collect();
        format!(
            "{}, for {} empty squares",
            phases.len(),
            phases.join(" and ")
        )
    });
    let multiples = info.resolution.map_or(String::new(), |resolution| {
        format!(", weights in multiples of {resolution}/128 disc")
    });
    let in_memory = format!("{} bytes{multiples}", info.bytes_in_memory);
    let error_model = info.error_model.as_ref().map_or("none", |_| "as below");
    let bias = info.bias.as_ref();
    let unit = bias.map_or("1/128", |_| "1/128 disc");
    let bias = bias.map(|bias| format!("{} to {}", bias.least, bias.greatest));
    let properties = [
        ("format", Some(version)),
        ("checksum", info.checksum.clone()),
        ("geometry", Some(geometry)),
        ("kind", Some(info.kind.to_owned())),
        ("knots", knots),
        ("networks", networks),
        ("on disk", Some(format!("{} bytes", info.bytes_on_disk))),
        ("in memory", Some(in_memory)),
        ("error model", Some(error_model.to_owned())),
        ("bias", bias),
    ];
    let mut lines = vec![name.to_owned()];
    let known = properties.into_iter();
    lines.extend(known.filter_map(|(name, value)| Some(format!("{name:<13}{}", value?))));
    lines.push(format!(
        "\nclass  features  squares  weights   least  greatest  not zero   (in {unit})"
    ));
    lines.extend(info.classes.iter().map(|class| {
        format!(
            "{:<5}  {:>8}  {:>7}  {:>7}  {:>6}  {:>8}  {:>7.1}%",
            class.class,
            class.features,
            class.squares,
            class.weights,
            class.range.least,
            class.range.greatest,
            100.0 * class.not_zero
        )
    }));
    lines.extend(info.error_model.as_ref().map(|sigmas| sigma_table(sigmas)));
    if !info.about.is_empty() {
        lines.push(String::new());
        lines.extend(info.about.lines().map(str::to_owned));
    }
    lines.join("\n")
}

fn sigma_table(sigmas: &[Sigma]) -> String {
    let columns = SHOWN_SEARCHES.map(|(depth, reduced)| match depth {
        END => format!("{:>10}", format!("end - {reduced}")),
        _ => format!("{:>10}", format!("{depth} - {reduced}")),
    });
    let mut text = format!(
        "\nempties{}   (standard deviation in discs of a search of so many plies less a shallower one)",
        columns.concat()
    );
    for row in sigmas.chunks(SHOWN_SEARCHES.len()) {
        text += &format!("\n{:>7}", row[0].empties);
        text.extend(row.iter().map(|cell| format!("{:>10.2}", cell.sigma)));
    }
    text
}
