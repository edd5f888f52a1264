-- MySQL, and MariaDB before 11.2: widens keys and references to BIGINT. Copies the tables; writes wait. References are not checked until
-- the last statement, which fails if one is broken.
ALTER TABLE purchase_line DROP FOREIGN KEY purchase_line_of_purchase;
ALTER TABLE purchase MODIFY id BIGINT NOT NULL AUTO_INCREMENT;
ALTER TABLE purchase_line
    MODIFY id BIGINT NOT NULL AUTO_INCREMENT, MODIFY purchase_id BIGINT NOT NULL,
    ADD CONSTRAINT purchase_line_of_purchase FOREIGN KEY (purchase_id) REFERENCES purchase (id);
