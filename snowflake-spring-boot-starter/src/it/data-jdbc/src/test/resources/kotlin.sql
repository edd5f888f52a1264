create table if not exists ticket (id bigint primary key, title varchar(100) not null);
create table if not exists seat (id bigint primary key, place varchar(20) not null);
create table if not exists stage (id bigint primary key, name varchar(100) not null);
create table if not exists venue (id varchar(20) primary key, name varchar(100) not null);
create table if not exists play (id bigint primary key, title varchar(100) not null);
create table if not exists act (id bigint primary key, play bigint not null, play_key integer not null, name varchar(100) not null);
create table if not exists box (number bigint primary key, size integer not null);
create table if not exists shelf (id bigint primary key, name varchar(100) not null);
create table if not exists prop (id bigint primary key, shelf bigint);
