package io.github.snowflakeid.it.war;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two WARs in one Tomcat, each with a copy of the library, and in another Tomcat the same without the library. Each
 * deployment takes some seconds.
 */
@Tag("full")
@Tag("processes")
class ServletContainerTests {

    private static final List<String> NOT_IN_WAR = List.of(
            "tomcat-embed",
            "devtools",
            "junit",
            "surefire",
            "mockito",
            "byte-buddy-agent",
            "assertj",
            "spring-test",
            "spring-boot-test");

    @Test
    void nothingOutlivesAnApplicationAndNoIdIsEqualToOneOfTheOtherApplication() throws Exception {
        int deployments = Integer.getInteger("war.deployments", 3);
        Process container = start(deployments, name -> true);
        Process withoutLibrary = start(deployments, name -> !name.startsWith("snowflake-"));
        String output = output(container);
        String control = output(withoutLibrary);

        assertThat(output.lines().filter(line -> line.startsWith("different IDs: ")))
                .hasSize(deployments)
                .containsOnly("different IDs: 400000");
        assertThat(output).contains("threads: []");
        assertThat(loaders(output))
                .as("class loaders, which the JDK may keep without the library as well")
                .isLessThanOrEqualTo(loaders(control));
    }

    private static Process start(int deployments, Predicate<String> files) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx700m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath(name -> name.contains("tomcat-embed") || name.contains("jakarta.annotation-api")),
                        Path.of(
                                        "src/test/java",
                                        ServletContainerTests.class
                                                .getPackageName()
                                                .replace('.', '/'))
                                .resolve("ServletContainer.java")
                                .toString(),
                        classPath(files.and(name -> NOT_IN_WAR.stream().noneMatch(name::contains))),
                        String.valueOf(deployments))
                .redirectErrorStream(true)
                .start();
    }

    private static String output(Process container) throws Exception {
        String output = new String(container.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(container.waitFor()).as(output).isZero();
        return output;
    }

    private static int loaders(String output) {
        return output.lines()
                .filter(line -> line.startsWith("class loaders: "))
                .mapToInt(line -> Integer.parseInt(line.substring("class loaders: ".length())))
                .findFirst()
                .orElseThrow();
    }

    private static String classPath(Predicate<String> names) {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(file -> new File(file).exists() && names.test(new File(file).getName()))
                .collect(joining(File.pathSeparator));
    }
}
