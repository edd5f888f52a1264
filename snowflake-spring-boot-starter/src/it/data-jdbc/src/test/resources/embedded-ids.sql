create table if not exists parcel ("VALUE" bigint primary key, weight integer not null);
create table if not exists crate ("VALUE" bigint primary key, name varchar(100) not null);
create table if not exists pallet ("VALUE" varchar(20) primary key, name varchar(100) not null);
create table if not exists invoice (tenant varchar(20) not null, number bigint not null, reference bigint not null, amount integer not null, primary key (tenant, number));
create table if not exists contract ("VALUE" bigint primary key, version bigint not null, text varchar(100) not null);
create table if not exists voucher ("VALUE" bigint primary key, text varchar(100) not null);
create table if not exists shipment ("VALUE" bigint primary key, customer varchar(100) not null);
create table if not exists stop ("VALUE" bigint primary key, shipment_value bigint not null, shipment_key integer not null, city varchar(100) not null);
create table if not exists ferry ("VALUE" bigint primary key, name varchar(100) not null);
