package io.github.snowflakeid.internal.log;

import java.util.List;
import org.springframework.boot.test.system.CapturedOutput;

/**
 * The lines that were logged by the current thread. Lease threads of contexts that were just closed may log at the same
 * time.
 */
public final class LogLines {

    private LogLines() {}

    public static List<String> ofThisThread(CapturedOutput output) {
        String name = Thread.currentThread().getName();
        String logged = name.substring(Math.max(0, name.length() - 15)) + "] ";
        return output.toString().lines().filter(line -> line.contains(logged)).toList();
    }
}
