package com.mongodb.client;

/** Stands for the client of MongoDB's driver, which is recognized by its name. */
public interface MongoClient {}
