package io.github.snowflakeid.it.war;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Two WARs in one Tomcat, each with a copy of the library. Each of the ten deployments takes some seconds. */
@Tag("full")
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
        int deployments = Integer.getInteger("war.deployments", 10);
        Process container = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-XX:SoftRefLRUPolicyMSPerMB=0",
                        "-cp",
                        classPath(name -> name.contains("tomcat-embed") || name.contains("jakarta.annotation-api")),
                        Path.of(
                                        "src/test/java",
                                        ServletContainerTests.class
                                                .getPackageName()
                                                .replace('.', '/'))
                                .resolve("ServletContainer.java")
                                .toString(),
                        classPath(name -> NOT_IN_WAR.stream().noneMatch(name::contains)),
                        String.valueOf(deployments))
                .redirectErrorStream(true)
                .start();
        String output = new String(container.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(container.waitFor()).as(output).isZero();
        assertThat(output.lines().filter(line -> line.startsWith("different IDs: ")))
                .hasSize(deployments)
                .containsOnly("different IDs: 400000");
        // The JDK may keep the last ones, also without the library, in method handles of records.
        assertThat(output).containsPattern("class loaders: [0-3]\\R").contains("threads: []");
    }

    private static String classPath(Predicate<String> names) {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(file -> new File(file).exists() && names.test(new File(file).getName()))
                .collect(joining(File.pathSeparator));
    }
}
