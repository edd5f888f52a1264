package io.github.snowflakeid.readme;

import com.fasterxml.jackson.annotation.JsonFormat;

record Ticket(@JsonFormat(shape = JsonFormat.Shape.STRING) long id) {}
