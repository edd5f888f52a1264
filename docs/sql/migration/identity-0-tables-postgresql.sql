-- PostgreSQL: the tables before the migration.
CREATE TABLE purchase (
    id       INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer VARCHAR(100) NOT NULL
);
CREATE TABLE purchase_line (
    id          INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    purchase_id INTEGER NOT NULL REFERENCES purchase,
    product     VARCHAR(100) NOT NULL
);
CREATE INDEX purchase_line_of_purchase ON purchase_line (purchase_id);
