-- MariaDB: gives the old version a counter at the end of the layout. Copies the tables; writes wait.
ALTER TABLE purchase_line DROP FOREIGN KEY purchase_line_of_purchase;
ALTER TABLE purchase MODIFY id BIGINT NOT NULL AUTO_INCREMENT, AUTO_INCREMENT = 9223370937343148032;
ALTER TABLE purchase_line
    MODIFY id BIGINT NOT NULL AUTO_INCREMENT, AUTO_INCREMENT = 9223370937343148032,
    ADD CONSTRAINT purchase_line_of_purchase FOREIGN KEY (purchase_id) REFERENCES purchase (id);
