package io.github.snowflakeid.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
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

/**
 * A page of Markdown: README.md or a file in docs.
 *
 * @param path where the page is
 * @param text its content
 */
record Page(Path path, String text) {

    static final Path ROOT = Path.of("").toAbsolutePath().getParent();

    private static final Pattern BLOCK =
            Pattern.compile("^([^\n]*)\n( *)```([^\n`]*)\n(.*?)^ *```$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern NOT_RUN = Pattern.compile(" *<!-- not run: \\S.* -->");
    private static final Pattern LINK = Pattern.compile("(?:]\\(|href=\"|src=\"|srcset=\")([^)\"\\s]+)");
    private static final Pattern HEADING = Pattern.compile("^#{1,6} (.*)$", Pattern.MULTILINE);

    /**
     * A fenced block.
     *
     * @param page the page that has it
     * @param language what follows the fence
     * @param code its lines
     * @param isRun whether the page does not say why it is not run
     */
    record Block(String page, String language, String code, boolean isRun) {

        @Override
        public String toString() {
            return page + ": " + code.lines().findFirst().orElse("");
        }
    }

    static List<Page> all() {
        List<Page> pages = new ArrayList<>();
        for (Path file : files(ROOT.resolve("docs"), ".md")) {
            pages.add(new Page(file, read(file)));
        }
        try (Stream<Path> top = Files.list(ROOT)) {
            top.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .forEach(file -> pages.add(new Page(file, read(file))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return pages;
    }

    static List<Block> blocks(String language) {
        return all().stream()
                .flatMap(page -> page.blocks().stream())
                .filter(block -> block.language().equals(language) && block.isRun())
                .toList();
    }

    List<Block> blocks() {
        return BLOCK.matcher(text)
                .results()
                .map(match -> new Block(
                        name(),
                        match.group(3).strip(),
                        match.group(4).stripIndent(),
                        !NOT_RUN.matcher(match.group(1)).matches()))
                .toList();
    }

    String name() {
        return ROOT.relativize(path).toString();
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

    /** The number of columns of each row of each table, in order. */
    List<Integer> tables() {
        return withoutBlocks()
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("|"))
                .map(row -> row.replace("\\|", "").split("\\|", -1).length - 2)
                .toList();
    }

    private String withoutBlocks() {
        return text.replaceAll("(?ms)^ *```.*?^ *```$", "");
    }

    @Override
    public String toString() {
        return name();
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
}
