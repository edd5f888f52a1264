package io.github.snowflakeid.readme;

import io.github.snowflakeid.IdGenerator;
import org.springframework.stereotype.Component;

@Component
class Tickets {

    private final IdGenerator ids;

    Tickets(IdGenerator ids) {
        this.ids = ids;
    }

    long next() {
        return ids.nextId();
    }

    long[] next(int count) {
        return ids.nextIds(count);
    }
}
