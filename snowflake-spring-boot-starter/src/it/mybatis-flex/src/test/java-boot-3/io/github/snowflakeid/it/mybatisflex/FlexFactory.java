package io.github.snowflakeid.it.mybatisflex;

/** The starter of MyBatis-Flex defines the factory. */
public class FlexFactory {}
