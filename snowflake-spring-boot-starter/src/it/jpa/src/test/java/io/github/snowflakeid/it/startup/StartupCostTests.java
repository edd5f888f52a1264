package io.github.snowflakeid.it.startup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Counts what this library adds to the startup of an application without a web server. A limit that is exceeded means
 * that startup takes longer: measure it with {@code .ci/startup}, and raise the limit only if the feature is worth it.
 */
class StartupCostTests {

    /** What an application with JPA and nothing else does not have. */
    private static final String OTHERS = ".*(web|tomcat|jackson|servlet|http|devtools|flyway).*";

    @TempDir
    Path logs;

    /**
     * What a start took.
     *
     * @param classes all classes that were loaded
     * @param ours classes of this library, including its lambdas
     * @param beans the beans of this library
     */
    private record Start(int classes, int ours, int beans) {}

    @Test
    void addsFewClassesAndBeans() throws Exception {
        int without = start(false).classes();

        Start leased = start(true);
        Start fixed = start(true, "--snowflake.worker.id=7");
        Start disabled = start(true, "--snowflake.enabled=false");

        assertCost("leased", leased, without, 600, 310, 21);
        assertCost("fixed", fixed, without, 360, 180, 18);
        assertCost("disabled", disabled, without, 120, 60, 6);
    }

    private static void assertCost(String variant, Start start, int without, int classes, int ours, int beans) {
        System.out.println(variant + ": " + (start.classes() - without) + " more classes, " + start);
        assertThat(start.classes() - without).as(variant + ": all classes").isLessThan(classes);
        assertThat(start.ours()).as(variant + ": classes of this library").isLessThan(ours);
        assertThat(start.beans()).as(variant + ": beans of this library").isLessThan(beans);
    }

    private Start start(boolean isWithLibrary, String... properties) throws IOException, InterruptedException {
        Path log = Files.createTempFile(logs, "classes", ".log");
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !Path.of(entry).getFileName().toString().matches(OTHERS))
                .filter(entry -> isWithLibrary
                        || !Path.of(entry).getFileName().toString().startsWith("snowflake-"))
                .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:TieredStopAtLevel=1",
                "-Xlog:class+load:file=" + log + "::filecount=0",
                "-cp",
                classPath,
                StartupShop.class.getName(),
                "--spring.datasource.url=jdbc:h2:mem:shop",
                "--spring.datasource.username=sa",
                "--spring.jpa.hibernate.ddl-auto=create-drop"));
        command.addAll(List.of(properties));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        process.waitFor();
        assertThat(output).contains(StartupShop.STARTED);
        int beans = Integer.parseInt(output.substring(output.indexOf(StartupShop.STARTED))
                .substring(StartupShop.STARTED.length())
                .lines()
                .findFirst()
                .orElseThrow());
        try (Stream<String> lines = Files.lines(log)) {
            List<String> classes =
                    lines.filter(line -> line.contains(" source: ")).toList();
            int ours = (int) classes.stream()
                    .filter(line -> line.contains(" io.github.snowflakeid.") && !line.contains(".it."))
                    .count();
            return new Start(classes.size(), ours, beans);
        }
    }
}
