package io.github.snowflakeid.autoconfigure;

import java.util.List;
import org.springframework.boot.test.system.CapturedOutput;

/** What was logged by the thread that asks: lease threads of contexts that have just been closed may log beside it. */
final class LogLines {

    private LogLines() {}

    static List<String> ofThisThread(CapturedOutput output) {
        String name = Thread.currentThread().getName();
        String logged = name.substring(Math.max(0, name.length() - 15)) + "] ";
        return output.toString().lines().filter(line -> line.contains(logged)).toList();
    }
}
