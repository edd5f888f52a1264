package io.github.snowflakeid.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.worker.WorkerRegistry;
import io.github.snowflakeid.worker.WorkerRegistry.Entry;
import io.github.snowflakeid.worker.WorkerRegistryContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Checks docs/own-store.md. */
class OwnRegistryPageTests {

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final String PAGE = read(ROOT.resolve("docs/own-store.md"));

    @Test
    void blocksOfJavaAreTheSourcesThatAreTestedHere() {
        assertThat(blocks("java")).startsWith(shown("DocumentRegistry.java"), shown("DocumentRegistryTests.java"));
    }

    @Test
    void registryHasNoMoreLinesThanThePageSays() {
        assertThat(shown("DocumentRegistry.java").lines().map(String::strip))
                .filteredOn(line -> !line.isEmpty() && !line.startsWith("/") && !line.startsWith("@Override"))
                .filteredOn(line -> !line.startsWith("package") && !line.startsWith("import"))
                .hasSizeLessThan(60);
        assertThat(PAGE).contains("implement `WorkerRegistry`, in fewer than 60 lines,");
    }

    @Test
    void testsAreInAnArtifactOfThisBuild() {
        String version = find(read(ROOT.resolve("pom.xml")), "<version>(.*?)</version>")
                .findFirst()
                .orElseThrow()
                .group(1);

        assertThat(blocks("xml").toList()).singleElement().asString().contains("""
                  <groupId>io.github.snowflakeid</groupId>
                  <artifactId>snowflake-core</artifactId>
                  <version>%s</version>
                  <type>test-jar</type>
                """.formatted(version));
    }

    /** The page says that a client may do this. */
    @Nested
    class RegistryOfAClientThatSendsEachWriteAgain extends WorkerRegistryContract {

        private DocumentsInMemory documents = new DocumentsInMemory();

        @Override
        protected void openEmptyStore() {
            documents = new DocumentsInMemory() {
                @Override
                public boolean write(String namespace, long version, Entry entry) {
                    super.write(namespace, version, entry);
                    return super.write(namespace, version, entry);
                }
            };
        }

        @Override
        protected WorkerRegistry registry(String namespace) {
            return new DocumentRegistry(documents, namespace);
        }

        @Override
        protected void closeStore() {}
    }

    /** Returns a source in the package that the page shows. */
    private static String shown(String source) {
        String here = OwnRegistryPageTests.class.getPackageName();
        return read(ROOT.resolve("snowflake-core/src/test/java")
                        .resolve(here.replace('.', '/'))
                        .resolve(source))
                .replace("package " + here + ";", "package com.example.ids;");
    }

    private static Stream<String> blocks(String language) {
        return find(PAGE, "(?s)```" + language + "\n(.*?)```").map(block -> block.group(1));
    }

    private static Stream<MatchResult> find(String text, String pattern) {
        return Pattern.compile(pattern).matcher(text).results();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
