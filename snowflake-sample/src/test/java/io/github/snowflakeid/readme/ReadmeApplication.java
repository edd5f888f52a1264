package io.github.snowflakeid.readme;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class ReadmeApplication {}
