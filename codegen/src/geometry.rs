//! The geometries of the evaluation as data: `kernels/geometries/*.txt`, read for the templates and
//! for the constants in `generated/geometry.rs`.
//!
//! A line is a class: its name, then its features, each as its squares. `#` begins a comment line.
//! The kernels crate reads the same files once more at run time, for the references: what is read
//! wrong here shows as a difference there.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use minijinja::{Value, context};

use crate::Error;
use crate::gather::{Base, Target, any_order, plan, plan_code, square_name};

/// The geometry whose kernels have no suffix.
pub const DEFAULT: &str = "edax";

/// The number of features that fit into the kernels' `Features`.
pub const FEATURES: usize = 48;

/// The most squares of a feature: 3^10 - 1 is the highest that 16 bits hold.
pub const DIGITS: usize = 10;

/// A set of features.
pub struct Geometry {
    /// Its name: the file's.
    pub name: String,
    /// What the file's comments say of it, a line each.
    pub doc: Vec<String>,
    /// The classes, in the file's order.
    pub classes: Vec<Class>,
    /// What templates see of it: the gathers take a moment to find.
    context: OnceLock<Value>,
}

/// Features that share their weights: all have the same number of squares.
pub struct Class {
    /// Its name.
    pub name: String,
    /// Its features, each as its squares (0..=63), the first the most significant digit.
    pub features: Vec<Vec<u8>>,
}

impl Class {
    /// The number of squares of each of its features.
    pub fn digits(&self) -> usize {
        self.features[0].len()
    }
}

impl Geometry {
    /// Reads all geometries of a folder (`*.txt`): the default first, the others by name.
    pub fn read_all(folder: &Path) -> Result<Vec<Geometry>, Error> {
        let unreadable = |path: &Path, source| Error::File {
            path: path.to_owned(),
            source,
        };
        let mut geometries = Vec::new();
        let entries = std::fs::read_dir(folder).map_err(|source| unreadable(folder, source))?;
        for entry in entries {
            let path = entry.map_err(|source| unreadable(folder, source))?.path();
            if path.extension().is_none_or(|extension| extension != "txt") {
                continue;
            }
            let text =
                std::fs::read_to_string(&path).map_err(|source| unreadable(&path, source))?;
            geometries.push(Geometry::parse(&path, &text)?);
        }
        geometries.sort_by_key(|geometry| (geometry.name != DEFAULT, geometry.name.clone()));
        match geometries.first() {
            Some(first) if first.name == DEFAULT => Ok(geometries),
            _ => Err(unreadable(
                &folder.join(format!("{DEFAULT}.txt")),
                std::io::ErrorKind::NotFound.into(),
            )),
        }
    }

    /// Reads the text of the file `path`.
    pub fn parse(path: &Path, text: &str) -> Result<Geometry, Error> {
        let name = path.file_stem().and_then(|stem| stem.to_str());
        let name = name.unwrap_or_default().to_owned();
        let wrong = |line: usize, message: String| Error::Geometry {
            path: path.to_owned(),
            line,
            message,
        };
        if syn::parse_str::<syn::Ident>(&name).is_err() {
            let message = format!("'{name}' cannot be part of a function's name");
            return Err(wrong(1, message));
        }
        let mut geometry = Geometry {
            name,
            doc: Vec::new(),
            classes: Vec::new(),
            context: OnceLock::new(),
        };
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(comment) = line.strip_prefix('#') {
                geometry.doc.push(comment.trim().to_owned());
                continue;
            }
            let class = class(line).map_err(|message| wrong(number, message))?;
            if geometry
                .classes
                .iter()
                .any(|other| other.name == class.name)
            {
                return Err(wrong(number, format!("a second class '{}'", class.name)));
            }
            geometry.classes.push(class);
            let count = geometry.features().count();
            if count > FEATURES {
                return Err(wrong(
                    number,
                    format!("feature {count}; possible: up to {FEATURES}"),
                ));
            }
        }
        if geometry.classes.is_empty() {
            return Err(wrong(
                1,
                "no class; a line is a name, then features: C3 A1B1C1".into(),
            ));
        }
        Ok(geometry)
    }

    /// The squares of each feature, in order.
    pub fn features(&self) -> impl Iterator<Item = &[u8]> {
        let classes = self.classes.iter();
        classes.flat_map(|class| class.features.iter().map(Vec::as_slice))
    }

    /// What a kernel of this geometry has behind its name.
    pub fn suffix(&self) -> String {
        match self.name.as_str() {
            DEFAULT => String::new(),
            name => format!("_{name}"),
        }
    }

    /// Where the weights of each class begin, in the file's order, and the length of the whole array.
    ///
    /// Place 0 is for what a geometry leaves unused. The small classes come first, so that few places
    /// behind the last make every feature of 16 bits, right or wrong, one of the array.
    pub fn layout(&self) -> (Vec<u32>, u32) {
        let mut order: Vec<usize> = (0..self.classes.len()).collect();
        order.sort_by_key(|&class| self.classes[class].digits());
        let mut offsets = vec![0; order.len()];
        let mut next = 1;
        let mut length = 0;
        for class in order {
            offsets[class] = next;
            length = next + (1 << 16);
            next += 3_u32.pow(self.classes[class].digits() as u32);
        }
        (offsets, length)
    }

    /// What templates see as `geometry`:
    ///
    /// - `name`, and `suffix`, which a kernel of the geometry has behind its name;
    /// - `features`, of each: `gathered`, `in_order` and `folded` (see [`Gathers`]) and `mask`;
    /// - `orders`: the orders in which bits are gathered, each as what the bits are worth;
    /// - `unused`: a zero for each of the kernels' features that the geometry leaves over.
    pub(crate) fn context(&self) -> &Value {
        self.context.get_or_init(|| {
            let mut orders = Vec::new();
            let features: Vec<Value> = self
                .features()
                .map(|squares| Gathers::new(squares).context(&mut orders))
                .collect();
            let unused = vec!["0"; FEATURES - features.len()].join(", ");
            context! {
                name => self.name.as_str(), suffix => self.suffix(), features, orders, unused
            }
        })
    }
}

/// How the bits of a feature are brought together: expressions of type `u64` over a `u64` named
/// `board`, and what each gathered bit is worth, the lowest first.
struct Gathers {
    mask: u64,
    /// By multiplication, in an order that takes only one where there is such an order.
    gathered: (String, Vec<u64>),
    /// The worth of the bits in the order of their squares: what `pext` needs.
    in_order: Vec<u64>,
    /// The number in base 3 itself, by multiplication.
    folded: String,
}

impl Gathers {
    fn new(squares: &[u8]) -> Gathers {
        let lowest_first: Vec<u8> = squares.iter().rev().copied().collect();
        let worth = |square: &u8| {
            let digit = lowest_first.iter().position(|other| other == square);
            3_u64.pow(digit.expect("a square of the feature") as u32)
        };
        let target = Target::new(lowest_first.clone()).expect("distinct squares of the board");
        let gathered = match any_order(&target, Base::Two) {
            Ok((order, part)) => (
                part.code("board"),
                order.squares().iter().map(worth).collect(),
            ),
            Err(_) => (
                plan_code(&plan(&target, Base::Two), "board"),
                target.squares().iter().map(worth).collect(),
            ),
        };
        let mut ascending = lowest_first.clone();
        ascending.sort();
        Gathers {
            mask: target.mask(),
            gathered,
            in_order: ascending.iter().map(worth).collect(),
            folded: plan_code(&plan(&target, Base::Three), "board"),
        }
    }

    /// What templates see of it; orders become numbers of places in `orders`.
    fn context(self, orders: &mut Vec<Vec<u64>>) -> Value {
        let mut number = |order: Vec<u64>| {
            let known = orders.iter().position(|other| *other == order);
            known.unwrap_or_else(|| {
                orders.push(order);
                orders.len() - 1
            })
        };
        let (code, order) = self.gathered;
        context! {
            mask => format!("{:#018x}", self.mask),
            gathered => context! { code, order => number(order) },
            in_order => number(self.in_order),
            folded => self.folded,
        }
    }
}

/// The class that a line describes, or what is wrong with it.
fn class(line: &str) -> Result<Class, String> {
    let mut words = line.split_whitespace();
    let name = words
        .next()
        .ok_or("an empty line; a comment begins with #")?;
    let features = words.map(feature).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = features.first() else {
        return Err(format!("class '{name}' has no features"));
    };
    if let Some(other) = features.iter().find(|other| other.len() != first.len()) {
        return Err(format!(
            "class '{name}' has features of {} and of {} squares",
            first.len(),
            other.len()
        ));
    }
    Ok(Class {
        name: name.to_owned(),
        features,
    })
}

/// The squares of a feature, as `A1B1C1`.
fn feature(text: &str) -> Result<Vec<u8>, String> {
    let mut squares = Vec::new();
    let letters: Vec<char> = text.chars().collect();
    for name in letters.chunks(2) {
        let &[column @ 'A'..='H', row @ '1'..='8'] = name else {
            let name: String = name.iter().collect();
            return Err(format!(
                "'{name}' in {text} is no square; possible: A1 to H8"
            ));
        };
        let square = column as u8 - b'A' + 8 * (row as u8 - b'1');
        if squares.contains(&square) {
            return Err(format!("{} comes twice in {text}", square_name(square)));
        }
        squares.push(square);
    }
    match squares.len() {
        1..=DIGITS => Ok(squares),
        many => Err(format!(
            "{text} has {many} squares; possible: up to {DIGITS}"
        )),
    }
}

/// The folder of geometries that belongs to the kernels' source folder.
pub fn folder(kernels: &Path) -> PathBuf {
    kernels.join("../geometries")
}
