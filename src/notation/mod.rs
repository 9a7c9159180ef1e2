//! Reading and writing positions and games in the formats of the field.
