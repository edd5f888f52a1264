package io.github.snowflakeid.readme;

import io.github.snowflakeid.json.IdAsString;

record Ticket(@IdAsString long id, String seat) {}
