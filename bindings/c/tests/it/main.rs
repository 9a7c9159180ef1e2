//! The C interface, used from C.

mod interface;
