//! Geometries of the evaluation, read from `kernels/geometries/*.txt` for the templates and for the constants
//! in `generated/geometry.rs`.
//!
//! A line is a class: its name, then its features, each as a list of squares (`C3 A1B1C1`). `#` begins a
//! comment line. The kernels crate reads the same files at run time for the references. So a mistake in either
//! reader shows as a difference.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use minijinja::{Value, context};

use crate::gather::{Base, Target, any_order, plan, plan_code, square_name};
use crate::{Error, file_error};

/// Geometry whose kernels have no suffix.
pub const DEFAULT: &str = "edax";

/// Number of features in the kernels' `Features`.
pub const FEATURES: usize = 48;

/// Maximum number of squares of a feature: 3^10 - 1 fits into 16 bits.
pub const DIGITS: usize = 10;

/// A set of features.
pub struct Geometry {
    /// Name of the file.
    pub name: String,
    /// Comments of the file, a line each.
    pub doc: Vec<String>,
    /// The classes, in the file's order.
    pub classes: Vec<Class>,
    /// Value of `geometry` in templates, cached because the gathers take a moment to find.
    context: OnceLock<Value>,
}

/// Features that share their weights and have equally many squares.
pub struct Class {
    /// Name, the first word of the class's line.
    pub name: String,
    /// Squares (0..=63) of each feature, the most significant digit first.
    pub features: Vec<Vec<u8>>,
}

impl Class {
    /// Number of squares of each feature.
    pub fn digits(&self) -> usize {
        self.features[0].len()
    }
}

impl Geometry {
    /// Reads all geometries of a folder (`*.txt`), the default first, the others by name.
    pub fn read_all(folder: &Path) -> Result<Vec<Geometry>, Error> {
        let mut geometries = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(file_error(folder))? {
            let path = entry.map_err(file_error(folder))?.path();
            if path.extension().is_none_or(|extension| extension != "txt") {
                continue;
            }
            let text = std::fs::read_to_string(&path).map_err(file_error(&path))?;
            geometries.push(Geometry::parse(&path, &text)?);
        }
        geometries.sort_by_key(|geometry| (geometry.name != DEFAULT, geometry.name.clone()));
        match geometries.first() {
            Some(first) if first.name == DEFAULT => Ok(geometries),
            _ => {
                let missing = file_error(&folder.join(format!("{DEFAULT}.txt")));
                Err(missing(std::io::ErrorKind::NotFound.into()))
            }
        }
    }

    /// Parses the text of the file `path`.
    pub fn parse(path: &Path, text: &str) -> Result<Geometry, Error> {
        let name = path.file_stem().and_then(|stem| stem.to_str());
        let name = name.unwrap_or_default().to_owned();
        let wrong = |line: usize, message: String| Error::Line {
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

    /// Suffix of the names of this geometry's kernels.
    pub fn suffix(&self) -> String {
        match self.name.as_str() {
            DEFAULT => String::new(),
            name => format!("_{name}"),
        }
    }

    /// Index of each class's first weight, in the file's order, and the length of the whole array.
    ///
    /// Unused features read index 0. Small classes come first. Then a short tail behind the last class suffices
    /// to keep every 16-bit index, valid or not, inside the array.
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

    /// The value of `geometry` in templates, with these fields:
    ///
    /// - `name`: Name of the geometry.
    /// - `features`: List of the features, each with the fields of [`Gathers`].
    /// - `orders`: Orders in which bits are gathered, each as a list of the bits' place values.
    /// - `unused`: A zero for each of the kernels' features that the geometry does not have.
    pub(crate) fn context(&self) -> &Value {
        self.context.get_or_init(|| {
            let mut orders = Vec::new();
            let features: Vec<Value> = self
                .features()
                .map(|squares| Gathers::new(squares).context(&mut orders))
                .collect();
            let unused = vec!["0"; FEATURES - features.len()].join(", ");
            context! {
                name => self.name.as_str(), features, orders, unused
            }
        })
    }
}

/// Ways to gather the bits of a feature. Code is an expression of type `u64` over a `u64` named `board`. An
/// order lists the place values of the gathered bits, lowest bit first.
struct Gathers {
    mask: u64,
    /// Code and order of a gather by multiplication. If one multiplication suffices for some order, such an
    /// order is used.
    gathered: (String, Vec<u64>),
    /// Ascending order of the squares, in which `pext` gathers bits.
    in_order: Vec<u64>,
    /// Code that gathers the bits as a number in base 3, by multiplication.
    folded: String,
}

impl Gathers {
    fn new(squares: &[u8]) -> Gathers {
        let lowest_first: Vec<u8> = squares.iter().rev().copied().collect();
        let place_value = |square: &u8| {
            let digit = lowest_first.iter().position(|other| other == square);
            3_u64.pow(digit.expect("a square of the feature") as u32)
        };
        let target = Target::new(lowest_first.clone()).expect("distinct squares of the board");
        let gathered = match any_order(&target, Base::Two) {
            Ok((order, part)) => (
                part.code("board"),
                order.squares().iter().map(place_value).collect(),
            ),
            Err(_) => (
                plan_code(&plan(&target, Base::Two), "board"),
                target.squares().iter().map(place_value).collect(),
            ),
        };
        let mut ascending = lowest_first.clone();
        ascending.sort();
        Gathers {
            mask: target.mask(),
            gathered,
            in_order: ascending.iter().map(place_value).collect(),
            folded: plan_code(&plan(&target, Base::Three), "board"),
        }
    }

    /// Returns the value for templates. Orders become indices into `orders`.
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

/// Parses the class on a line. The error is the mistake.
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

/// Parses the squares of a feature, such as `A1B1C1`.
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

/// Folder of the geometries beside the kernels' source folder.
pub fn folder(kernels: &Path) -> PathBuf {
    kernels.join("../geometries")
}
