package io.github.snowflakeid.it.datamongodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts the application in a separate JVM, processed ahead of time. */
// Slow: starts another JVM.
@Tag("full")
class MongoAotTests {

    @TempDir
    private Path directory;

    @Test
    void savesAndFindsDocuments() throws Exception {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dspring.aot.enabled=true",
                        "-cp",
                        System.getProperty("aot.classes") + File.pathSeparator + System.getProperty("java.class.path"),
                        "io.github.snowflakeid.it.datamongodb.MongoShop",
                        "--spring.data.mongodb.uri=" + MongoServer.URL,
                        "--spring.mongodb.uri=" + MongoServer.URL)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }

        assertThat(Files.readString(output))
                .contains("Starting AOT-processed MongoShop")
                .contains("found true")
                .contains("saved true");
    }
}
