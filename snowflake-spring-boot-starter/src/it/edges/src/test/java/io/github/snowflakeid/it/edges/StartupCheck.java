package io.github.snowflakeid.it.edges;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/** An application without the classes of the other one, so that a test can add those that stop startup. */
@Configuration
@EnableAutoConfiguration
class StartupCheck {}
