-- PostgreSQL and MariaDB: the tables before the migration.
CREATE TABLE purchase (
    id       BIGINT NOT NULL PRIMARY KEY,
    customer VARCHAR(100) NOT NULL
);
CREATE TABLE purchase_line (
    id          BIGINT NOT NULL PRIMARY KEY,
    purchase_id BIGINT NOT NULL,
    product     VARCHAR(100) NOT NULL,
    CONSTRAINT purchase_line_of_purchase FOREIGN KEY (purchase_id) REFERENCES purchase (id)
);
CREATE SEQUENCE purchase_seq INCREMENT BY 50;
CREATE SEQUENCE purchase_line_seq INCREMENT BY 50;
