-- PostgreSQL and MariaDB: the tables before the migration.
CREATE TABLE purchase (
    id       UUID NOT NULL PRIMARY KEY,
    customer VARCHAR(100) NOT NULL
);
CREATE TABLE purchase_line (
    id          UUID NOT NULL PRIMARY KEY,
    purchase_id UUID NOT NULL,
    product     VARCHAR(100) NOT NULL,
    CONSTRAINT purchase_line_of_purchase FOREIGN KEY (purchase_id) REFERENCES purchase (id)
);
