create table if not exists ticket (id bigint primary key, title varchar(100) not null);
create table if not exists account (id varchar(20) primary key, number bigint not null, legacy bigint);
create table if not exists counter (id bigint primary key, name varchar(100) not null);
create table if not exists import (id bigint primary key, version bigint not null);
create table if not exists note (id bigint primary key, text varchar(100) not null, created timestamp, changed timestamp);
create table if not exists plain (id bigint primary key, name varchar(100) not null);
create table if not exists parcel (number bigint primary key, weight integer not null);
create table if not exists crate (tenant varchar(20) not null, number bigint not null, name varchar(100) not null, primary key (tenant, number));
create table if not exists typed_ticket (id bigint primary key, replaces bigint, title varchar(100) not null);
