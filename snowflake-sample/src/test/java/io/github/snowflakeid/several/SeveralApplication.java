package io.github.snowflakeid.several;

import org.springframework.boot.autoconfigure.SpringBootApplication;

@SpringBootApplication
class SeveralApplication {}
