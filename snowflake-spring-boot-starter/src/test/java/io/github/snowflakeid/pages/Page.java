package io.github.snowflakeid.pages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

/**
 * A page of Markdown: README.md or a file in docs.
 *
 * @param path where the page is
 * @param text its content
 */
record Page(Path path, String text) {

    static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    static final Path DOCS = ROOT.resolve("docs");

    private static final Pattern LINK = Pattern.compile("(?:]\\(|href=\"|src=\"|srcset=\")([^)\"\\s]+)");
    private static final Pattern HEADING = Pattern.compile("^#{1,6} (.*)$", Pattern.MULTILINE);

    /**
     * A fenced block.
     *
     * @param page the page that has it
     * @param language what follows the fence
     * @param section the heading of the second level above it
     * @param step the heading of the third level above it
     * @param introduction the paragraph before it
     * @param code its lines
     * @param isRun whether the page does not say why it is not run
     */
    record Block(
            String page,
            String language,
            String section,
            String step,
            String introduction,
            String code,
            boolean isRun) {

        /** Returns the statements of a block of SQL. */
        List<String> statements() {
            return SqlScript.statements(code);
        }

        @Override
        public String toString() {
            return page + ": " + code.lines().findFirst().orElse("");
        }
    }

    /** Returns a page in docs. */
    static Page of(String name) {
        return at(DOCS.resolve(name));
    }

    static Page at(Path path) {
        return new Page(path, read(path));
    }

    /** Returns the pages in docs and those at the top. */
    static List<Page> all() {
        try (Stream<Path> top = Files.list(ROOT)) {
            return Stream.concat(
                            files(DOCS, ".md").stream(),
                            top.filter(file -> file.toString().endsWith(".md")).sorted())
                    .map(Page::at)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the blocks of a language on all pages, except those that are not run. */
    static List<Block> allBlocks(String language) {
        return all().stream()
                .flatMap(page -> page.blocks().stream())
                .filter(block -> block.language().equals(language) && block.isRun())
                .toList();
    }

    String name() {
        return ROOT.relativize(path).toString();
    }

    /** Returns the code of each block of a language. */
    List<String> blocks(String language) {
        return blocks().stream()
                .filter(block -> block.language().equals(language))
                .map(Block::code)
                .toList();
    }

    List<Block> blocks() {
        List<Block> blocks = new ArrayList<>();
        String section = "";
        String step = "";
        String fence = "";
        String language = "";
        String previous = "";
        boolean isRun = true;
        boolean paragraphEnds = false;
        StringBuilder introduction = new StringBuilder();
        StringBuilder code = new StringBuilder();
        for (String line : text.split("\n")) {
            if (!fence.isEmpty() && line.equals(fence)) {
                blocks.add(new Block(name(), language, section, step, introduction.toString(), code.toString(), isRun));
                fence = "";
                code.setLength(0);
            } else if (!fence.isEmpty()) {
                code.append(
                                line.startsWith(" ")
                                        ? line.substring(Math.min(indentation(line), fence.length() - 3))
                                        : line)
                        .append('\n');
            } else if (line.strip().startsWith("```")) {
                fence = line.substring(0, line.indexOf("```") + 3);
                language = line.substring(fence.length()).strip();
                isRun = !previous.matches(" *<!-- not run: \\S.* -->");
            } else if (line.startsWith("## ")) {
                section = line.substring("## ".length());
                step = "";
            } else if (line.startsWith("### ")) {
                step = line.substring("### ".length());
            } else if (line.isEmpty()) {
                paragraphEnds = true;
            } else {
                if (paragraphEnds) {
                    introduction.setLength(0);
                }
                paragraphEnds = false;
                introduction.append(line).append('\n');
            }
            previous = line;
        }
        return blocks;
    }

    private static int indentation(String line) {
        return line.length() - line.stripLeading().length();
    }

    /** Returns the part of the page below a heading, including the headings below it. */
    Page section(String heading) {
        String level = HEADING.matcher(withoutBlocks())
                .results()
                .filter(match -> match.group(1).equals(heading))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name() + " has no heading " + heading))
                .group()
                .split(" ", 2)[0];
        String below = text.split("(?m)^" + level + " " + Pattern.quote(heading) + "$", 2)[1];
        return new Page(path, below.split("(?m)^#{1," + level.length() + "} ", 2)[0]);
    }

    /** Targets of links and pictures, without those in blocks. */
    List<String> links() {
        return LINK.matcher(withoutBlocks())
                .results()
                .map(link -> link.group(1))
                .toList();
    }

    /** The anchors that GitHub gives the headings. */
    Set<String> anchors() {
        Set<String> anchors = new HashSet<>();
        Map<String, Integer> seen = new HashMap<>();
        for (MatchResult heading : HEADING.matcher(withoutBlocks()).results().toList()) {
            String anchor = heading.group(1)
                    .strip()
                    .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
            int before = seen.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        }
        return anchors;
    }

    /** The levels of the headings, in order. */
    List<Integer> outline() {
        return HEADING.matcher(withoutBlocks())
                .results()
                .map(heading -> heading.group().indexOf(' '))
                .toList();
    }

    /** The cells of each row of each table, in order, including headers and separators. */
    List<List<String>> rows() {
        return withoutBlocks()
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("|"))
                .map(row -> Stream.of(row.substring(1, row.length() - 1).split("(?<!\\\\)\\|", -1))
                        .map(String::strip)
                        .toList())
                .toList();
    }

    private String withoutBlocks() {
        return text.replaceAll("(?ms)^ *```.*?^ *```$", "");
    }

    /** Returns the properties of each document of a block of YAML. */
    static List<PropertySource<?>> properties(String yaml) {
        try {
            return new YamlPropertySourceLoader()
                    .load("page", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Path> files(Path directory, String... endings) {
        try (Stream<Path> found = Files.walk(directory)) {
            return found.filter(file -> Stream.of(endings).anyMatch(file.toString()::endsWith))
                    .filter(file -> !file.toString().contains("/target/"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return name();
    }
}
