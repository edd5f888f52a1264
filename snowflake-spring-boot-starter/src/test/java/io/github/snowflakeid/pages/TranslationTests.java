package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A Chinese page says what the English one says: what changes there has to be translated. */
class TranslationTests {

    private static final Pattern TRANSLATED = Pattern.compile("<!-- translated from (\\p{XDigit}+) -->\n$");

    private static final Pattern CODE = Pattern.compile("`[^`]+`");

    /** A Chinese page, and the English page that its first link refers to. */
    record Translation(Path chinese, Path english) {

        static Translation of(Path chinese) {
            return new Translation(
                    chinese,
                    chinese.resolveSibling(Page.at(chinese).links().get(0)).normalize());
        }

        @Override
        public String toString() {
            return Page.ROOT.relativize(chinese).toString();
        }
    }

    static Stream<Translation> pages() {
        return Stream.concat(
                        Stream.of(Page.ROOT.resolve("README.zh-CN.md")),
                        Page.files(Page.DOCS.resolve("zh-CN"), ".md").stream()
                                .filter(page -> !page.endsWith("README.md")))
                .map(Translation::of);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void pageHasTheHeadingsBlocksAndTablesOfTheEnglishOne(Translation page) {
        Page english = Page.at(page.english());
        Page chinese = Page.at(page.chinese());
        assertThat(chinese.outline()).as("levels of headings").isEqualTo(english.outline());
        assertThat(chinese.rows().stream().map(List::size))
                .as("columns of each row")
                .isEqualTo(english.rows().stream().map(List::size).toList());
        assertThat(names(chinese)).as("names in the first cell of each row").isEqualTo(names(english));
        assertThat(chinese.blocks().stream().map(Page.Block::code))
                .as("blocks")
                .isEqualTo(english.blocks().stream().map(Page.Block::code).toList());
        assertThat(chinese.text()).containsPattern("\\p{IsHan}");
    }

    /** Returns what is between backticks in the first cell of each row: the code's names are not translated. */
    private static List<List<String>> names(Page page) {
        return page.rows().stream()
                .map(row -> CODE.matcher(row.get(0))
                        .results()
                        .map(MatchResult::group)
                        .sorted()
                        .toList())
                .toList();
    }

    /** The last line of a Chinese page is Git's hash of the English text, so that {@code git diff} shows what is new. */
    @ParameterizedTest
    @MethodSource("pages")
    void pageIsTranslatedFromThePresentTextOfTheEnglishOne(Translation page) throws Exception {
        String text = Page.read(page.chinese());
        String hash = gitHash(Page.read(page.english()));
        Matcher translated = TRANSLATED.matcher(text);
        String last = translated.find() ? translated.group(1) : "none";
        if (Boolean.getBoolean("pages.write")) {
            Files.writeString(page.chinese(), translated.replaceFirst("") + "<!-- translated from " + hash + " -->\n");
            return;
        }
        assertThat(last)
                .as("git diff %s %s shows what is to be translated. Then add -Dpages.write to this test.", last, hash)
                .isEqualTo(hash);
    }

    /** Returns the abbreviated name that Git gives to a file with this text. */
    private static String gitHash(String text) throws GeneralSecurityException {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
        sha1.update(("blob " + content.length + "\0").getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(sha1.digest(content), 0, 6);
    }
}
