//! Transactions of the only writer of a file.
//!
//! While a file is being written, a log lies beside it (`-wal`). Readers follow the log, so they neither wait for a writer
//! nor hinder it.

use rusqlite::Connection;

use crate::{Fault, Kind};

/// Statement that locks the file for writing. A second writer fails.
const BEGIN: &str = "begin immediate";

/// Transactions of a writer, one after the other. There is always one that is open.
pub struct Transactions {
    kind: &'static Kind,
    /// Number of commits of others that SQLite has seen.
    version: i64,
}

impl Transactions {
    /// Locks the file for writing, to the end of the writer.
    pub fn begin(kind: &'static Kind, connection: &Connection) -> Result<Transactions, Fault> {
        let begin = || {
            connection.pragma_update(None, "journal_mode", "wal")?;
            // A commit reaches the disk before it returns.
            connection.pragma_update(None, "synchronous", "full")?;
            connection.execute_batch(BEGIN)?;
            version(connection)
        };
        let version = begin().map_err(|error| kind.fault(error))?;
        Ok(Transactions { kind, version })
    }

    /// Commits the open transaction and opens the next one. It is an error if another writer came between them, because
    /// this one may remember outdated rows.
    pub fn commit(&self, connection: &Connection) -> Result<(), Fault> {
        self.check(connection)?;
        let commit = || {
            connection.execute_batch("commit")?;
            connection.execute_batch(BEGIN)?;
            version(connection)
        };
        match commit().map_err(|error| self.kind.fault(error))? == self.version {
            true => Ok(()),
            false => Err(Fault::Busy(self.kind)),
        }
    }

    /// Returns an error if SQLite has rolled the transaction back, as it does on a full disk. Further changes would be
    /// published one by one.
    pub fn check(&self, connection: &Connection) -> Result<(), Fault> {
        match connection.is_autocommit() {
            true => Err(Fault::Full),
            false => Ok(()),
        }
    }

    /// Rolls the open transaction back. Removes the log, unless others read it, so that an idle file stands alone.
    pub fn end(connection: &Connection) {
        let _ = connection.execute_batch("rollback");
        // While others read, the checkpoint copies most of the log. Otherwise the change of mode copies and deletes all
        // of it.
        let _ = connection.execute_batch("pragma wal_checkpoint(passive)");
        let _ = connection.pragma_update(None, "journal_mode", "delete");
    }
}

fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "data_version", |row| row.get(0))
}
