-- MariaDB: drops the UUIDs. Rewrites the tables while reads and writes continue. Afterwards, the only way back is a backup. The index
-- purchase_by_number stays, because the foreign key uses it.
ALTER TABLE purchase_line
    DROP FOREIGN KEY purchase_line_of_purchase, MODIFY purchase_id UUID NULL,
    ALGORITHM=INPLACE, LOCK=NONE;
DROP TRIGGER purchase_line_keys;
ALTER TABLE purchase_line
    DROP PRIMARY KEY, DROP COLUMN purchase_id, DROP COLUMN id,
    MODIFY line_no BIGINT NOT NULL, ADD PRIMARY KEY (line_no), DROP KEY purchase_line_by_number,
    ALGORITHM=INPLACE, LOCK=NONE;
ALTER TABLE purchase
    DROP PRIMARY KEY, DROP COLUMN id,
    MODIFY purchase_no BIGINT NOT NULL, ADD PRIMARY KEY (purchase_no),
    ALGORITHM=INPLACE, LOCK=NONE;
DROP SEQUENCE purchase_numbers;
DROP SEQUENCE purchase_line_numbers;
