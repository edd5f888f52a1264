create table if not exists typed_order (id bigint primary key, replaces bigint, origin bigint);
create table if not exists line (id varchar(20) primary key, typed_order bigint not null, previous varchar(20), customer decimal(20));
