create table ticket (id bigint primary key, replaces bigint, title varchar(100) not null);
create table "ORDER" (id bigint primary key);
create table line (id bigint primary key, "ORDER" bigint not null, product varchar(100) not null);
create table note (id bigint primary key, "ORDER" bigint not null, order_key integer not null, text varchar(100) not null);
