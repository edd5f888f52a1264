package io.github.snowflakeid.it.actuator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Java process whose output a test reads. */
final class JavaProcess implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;
    private final List<String> lines = new ArrayList<>();

    /** @param classes the first entry of the class path, before the one of this process */
    JavaProcess(List<String> options, String classes, Class<?> mainClass, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-cp");
        command.add(classes + File.pathSeparator + System.getProperty("java.class.path"));
        command.add(mainClass.getName());
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        output = process.inputReader();
    }

    /** Returns the first match in the output, reading on if no line matches yet. */
    Matcher readTo(String pattern) throws IOException {
        Pattern wanted = Pattern.compile(pattern);
        for (String line : lines) {
            Matcher found = wanted.matcher(line);
            if (found.find()) {
                return found;
            }
        }
        while (true) {
            String line = output.readLine();
            assertThat(line).as(() -> String.join("\n", lines)).isNotNull();
            lines.add(line);
            Matcher found = wanted.matcher(line);
            if (found.find()) {
                return found;
            }
        }
    }

    List<String> lines() {
        return lines;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
