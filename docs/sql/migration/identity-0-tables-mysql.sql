-- MariaDB and MySQL: the tables before the migration.
CREATE TABLE purchase (
    id       INTEGER NOT NULL AUTO_INCREMENT PRIMARY KEY,
    customer VARCHAR(100) NOT NULL
);
CREATE TABLE purchase_line (
    id          INTEGER NOT NULL AUTO_INCREMENT PRIMARY KEY,
    purchase_id INTEGER NOT NULL,
    product     VARCHAR(100) NOT NULL,
    CONSTRAINT purchase_line_of_purchase FOREIGN KEY (purchase_id) REFERENCES purchase (id)
);
