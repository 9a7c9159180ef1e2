//! Frame of self-contained HTML pages, for light and dark screens.

use crate::svg::escaped;

const STYLE: &str = include_str!("html_page.css");

/// Builds a page. `title` is plain text, `body` is HTML.
pub(crate) fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        escaped(title),
    )
}
