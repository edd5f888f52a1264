-- MariaDB: requires the second keys. Rewrites the tables while reads and writes continue. If a statement fails, a long transaction
-- inserted rows meanwhile: repeat step 2.
ALTER TABLE purchase MODIFY purchase_no BIGINT NOT NULL DEFAULT NEXTVAL(purchase_numbers), ALGORITHM=INPLACE, LOCK=NONE;
ALTER TABLE purchase_line
    MODIFY line_no BIGINT NOT NULL DEFAULT NEXTVAL(purchase_line_numbers), MODIFY purchase_no BIGINT NOT NULL,
    ALGORITHM=INPLACE, LOCK=NONE;
ALTER TABLE purchase_line
    ADD CONSTRAINT purchase_line_purchase_no_fkey FOREIGN KEY (purchase_no) REFERENCES purchase (purchase_no),
    ALGORITHM=COPY, LOCK=NONE;
