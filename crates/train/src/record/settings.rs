//! Settings in the header of a record file.

use std::fmt;

/// Ordered names and values that describe how records were made. A file has records of one description only.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecordSettings(Vec<(String, String)>);

/// Setting with different values in two descriptions. `None` means that it is absent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingDifference {
    /// Name of the setting.
    pub name: String,
    /// Value in the file.
    pub in_file: Option<String>,
    /// Value of this run.
    pub in_run: Option<String>,
}

impl RecordSettings {
    /// Adds a setting. Line breaks become blanks, because each setting is one line.
    pub fn set(&mut self, name: &str, value: impl fmt::Display) {
        let value = value.to_string().replace(['\r', '\n'], " ");
        self.0.push((name.to_owned(), value));
    }

    /// Value of the setting `name`.
    pub fn get(&self, name: &str) -> Option<&str> {
        let setting = self.0.iter().find(|(known, _)| known == name);
        setting.map(|(_, value)| value.as_str())
    }

    /// Names and values in file order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (&name[..], &value[..]))
    }

    /// Parses the [`Display`](fmt::Display) form. A line without `=` is a name without a value.
    pub(super) fn read(text: &str) -> RecordSettings {
        let lines = text.lines().map(|line| match line.split_once(" = ") {
            Some((name, value)) => (name.to_owned(), value.to_owned()),
            None => (line.to_owned(), String::new()),
        });
        RecordSettings(lines.collect())
    }

    /// Lists the differences between the settings of a file and those of this run.
    pub fn differences(&self, run: &RecordSettings) -> Vec<SettingDifference> {
        let names = self.iter().chain(run.iter()).map(|(name, _)| name);
        let mut differences: Vec<SettingDifference> = Vec::new();
        for name in names {
            let [in_file, in_run] =
                [self, run].map(|settings| settings.get(name).map(str::to_owned));
            if in_file != in_run && !differences.iter().any(|known| known.name == name) {
                let name = name.to_owned();
                differences.push(SettingDifference {
                    name,
                    in_file,
                    in_run,
                });
            }
        }
        differences
    }
}

impl fmt::Display for RecordSettings {
    /// Writes a line `name = value` for each setting.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.iter()
            .try_for_each(|(name, value)| writeln!(f, "{name} = {value}"))
    }
}

impl fmt::Display for SettingDifference {
    /// Writes `seed is 7 there and 8 here`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [in_file, in_run] =
            [&self.in_file, &self.in_run].map(|value| value.as_deref().unwrap_or("none"));
        write!(f, "{} is {in_file} there and {in_run} here", self.name)
    }
}
