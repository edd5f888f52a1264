create table "ORDER" ("VALUE" bigint primary key, customer varchar(100) not null);
create table invoice (tenant varchar(20) not null, number bigint not null, amount integer not null, primary key (tenant, number));
