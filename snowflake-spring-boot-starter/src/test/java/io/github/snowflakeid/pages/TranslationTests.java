package io.github.snowflakeid.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A Chinese page has the structure of the English one: what changes there has to be translated. */
class TranslationTests {

    private static final List<String> PAGES = List.of(
            "getting-started",
            "worker-ids",
            "from-other-libraries",
            "mybatis",
            "shardingsphere",
            "sequential-numbers",
            "document-numbers",
            "json",
            "public-ids",
            "monitoring",
            "runbook");

    private static Page page(String path) {
        return Page.at(Page.ROOT.resolve(path));
    }

    static List<String> pages() {
        return PAGES;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void pageHasTheHeadingsBlocksAndTablesOfTheEnglishOne(String name) {
        assertSameStructure(page("docs/" + name + ".md"), page("docs/zh-CN/" + name + ".md"));
    }

    @Test
    void readmeHasTheHeadingsBlocksAndTablesOfTheEnglishOne() {
        assertSameStructure(page("README.md"), page("README.zh-CN.md"));
    }

    private static void assertSameStructure(Page english, Page chinese) {
        assertThat(chinese.outline()).as("levels of headings").isEqualTo(english.outline());
        assertThat(chinese.rows().stream().map(List::size))
                .as("columns of each row")
                .isEqualTo(english.rows().stream().map(List::size).toList());
        assertThat(chinese.blocks().stream().map(Page.Block::code))
                .as("blocks")
                .isEqualTo(english.blocks().stream().map(Page.Block::code).toList());
        assertThat(chinese.text()).containsPattern("\\p{IsHan}");
    }
}
