-- MariaDB 11.2 or later: widens keys and references to BIGINT. Copies the tables while reads and writes continue. Older servers reject the
-- first statement, which changes nothing then. References are not checked until the last statement, which fails if one is broken.
ALTER TABLE purchase_line
    DROP FOREIGN KEY purchase_line_of_purchase,
    MODIFY id BIGINT NOT NULL AUTO_INCREMENT, MODIFY purchase_id BIGINT NOT NULL,
    ALGORITHM=COPY, LOCK=NONE;
ALTER TABLE purchase MODIFY id BIGINT NOT NULL AUTO_INCREMENT, ALGORITHM=COPY, LOCK=NONE;
ALTER TABLE purchase_line
    ADD CONSTRAINT purchase_line_of_purchase FOREIGN KEY (purchase_id) REFERENCES purchase (id),
    ALGORITHM=COPY, LOCK=NONE;
