//! Measurements as comma-separated values, one line per algorithm, level and cost.

use crate::bench::{Cost, Measure, Measurements, Samples};

use super::unit;

/// Names of the columns.
pub(super) const HEADER: &str = "kernel,algorithm,isa,selected,unit,measure,samples,ns_min,ns_q1,ns_median,ns_q3,\
                                 cycles_min,cycles_q1,cycles_median,cycles_q3";

/// Formats all lines. Names have no commas or quotes.
pub(super) fn lines(measurements: &Measurements) -> Vec<String> {
    let mut lines = vec![HEADER.to_owned()];
    for row in &measurements.references {
        let head = format!("{},reference,,false,call", row.kernel);
        lines.push(line(&head, Measure::Throughput, &row.throughput));
    }
    for row in &measurements.rows {
        let entry = row.entry;
        let head = [entry.kernel, entry.algorithm, entry.isa.name()].join(",");
        let head = format!("{head},{},{}", entry.selected, unit(row));
        let costs = Measure::ALL.into_iter();
        let costs = costs.filter_map(|measure| Some((measure, measure.of(row)?)));
        lines.extend(costs.map(|(measure, cost)| line(&head, measure, cost)));
    }
    lines
}

fn line(head: &str, measure: Measure, Cost { ns, cycles }: &Cost) -> String {
    let numbers = |samples: &Samples| {
        let numbers = [samples.min(), samples.q1(), samples.median(), samples.q3()];
        numbers.map(|number| format!("{number:.3}")).join(",")
    };
    let (count, ns, cycles) = (ns.count(), numbers(ns), numbers(cycles));
    format!("{head},{},{count},{ns},{cycles}", measure.name())
}
