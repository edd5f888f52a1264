package io.github.snowflakeid.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.text.IdFormat;
import io.github.snowflakeid.text.PublicIds;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.Keys;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.UseMainMethod;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The page in normal operation, as people use it: visually, by keyboard, on a phone, in dark mode. */
// Slow: a real browser.
@Tag("full")
@SpringBootTest(
        useMainMethod = UseMainMethod.ALWAYS,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = "spring.datasource.url=jdbc:h2:mem:page")
@Tag("servers")
class PageTests {

    /** Elements that must be reachable by keyboard. */
    private static final String CONTROLS = "return [...document.querySelectorAll('a, button, input, select')]";

    private static Browser browser;

    @LocalServerPort
    int port;

    @Autowired
    IdGenerator ids;

    @Autowired
    PublicIds publicIds;

    @Autowired
    OrderRepository orders;

    @BeforeAll
    static void openBrowser() {
        browser = Browser.open();
    }

    @AfterAll
    static void closeBrowser() {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void asMostPeopleHaveIt() {
        browser.size(1280, 900);
        browser.prefers("light", "reduce");
    }

    private void showPage(String query) {
        browser.show("http://localhost:" + port + "/" + query);
        browser.awaitText("#headline", "HELD, generating IDs");
        browser.awaitMatch("#workers", ".*this process.*");
        browser.awaitMatch("#page", "Page 1|No orders yet: place the first one.");
        // The page decodes an ID when it is opened, which replaces what is typed meanwhile.
        browser.awaitMatch("#sentence", "\\d+ was generated at .*");
    }

    private Order order(String customer) {
        return orders.save(new Order(customer, List.of(new OrderLine("tea", 2, new BigDecimal("4.50")))));
    }

    @Test
    void anIdIsShownBitByBitAndFieldByField() {
        showPage("?id=249828685941993514");

        browser.awaitText(
                "#sentence",
                "249828685941993514 was generated at 2026-11-21 09:30:00.321 UTC by worker 7 of datacenter 3, sequence 42.");
        String bits = "0".repeat(64) + Long.toBinaryString(249828685941993514L);
        assertThat(String.join("", browser.texts("#bits span"))).isEqualTo(bits.substring(bits.length() - 64));
        assertThat(browser.texts("#bits .sign")).hasSize(1);
        assertThat(browser.texts("#bits .timestamp")).hasSize(41);
        assertThat(browser.texts("#bits .datacenter")).hasSize(5);
        assertThat(browser.texts("#bits .worker")).hasSize(5);
        assertThat(browser.texts("#bits .sequence")).hasSize(12);
        assertThat(browser.element("#bits").getAttribute("aria-label"))
                .isEqualTo("64 bits: 1 sign, 41 timestamp, 5 datacenter, 5 worker, 12 sequence");
        assertThat(browser.texts("#fields .timestamp dd"))
                .startsWith("2026-11-21 09:30:00.321 UTC", "2026-11-21 18:30:00.321 Asia/Tokyo");
        assertThat(browser.texts("#fields .datacenter dd")).containsExactly("3", "of 0 to 31");
        assertThat(browser.texts("#fields .worker dd")).containsExactly("7", "of 0 to 31");
        assertThat(browser.texts("#fields .sequence dd")).containsExactly("42", "of 0 to 4,095");
        assertThat(browser.texts("#texts dd"))
                .containsExactly(
                        "249828685941993514",
                        IdFormat.HEXADECIMAL.format(249828685941993514L),
                        IdFormat.CROCKFORD.format(249828685941993514L),
                        publicIds.encode("order", 249828685941993514L));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    button[data-layout=default] | 249828685941993514 was generated at 2026-11-21 09:30:00.321 UTC by worker 7 of datacenter 3, sequence 42.
                    button[data-layout=twitter] | 1541815603606036480 was generated at 2022-06-28 16:07:40.105 UTC by worker 26 of datacenter 11, sequence 0.
                    button[data-layout=discord] | 175928847299117063 was generated at 2016-04-30 11:18:25.796 UTC by worker 0 of datacenter 1, sequence 7.
                    """)
    void presetsShowIdsOfOtherSystemsInTheirLayout(String button, String sentence) {
        showPage("");
        browser.click(button);

        browser.awaitText("#sentence", sentence);
        assertThat(browser.element("#layout").getDomProperty("value"))
                .isEqualTo(browser.element(button).getDomAttribute("data-layout"));
    }

    @Test
    void layoutsToChooseFromAreThoseOfTheLibrary() {
        showPage("");

        assertThat(browser.texts("#layout option"))
                .startsWith("this shop’s")
                .endsWith(IdLayout.presets().keySet().toArray(new String[0]));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    9007199254740993        | 9007199254740993 was generated at 2025-01-25 20:31:23.648 UTC by worker 0 of datacenter 0, sequence 1.
                    249_828_685_941_993_514 | 249828685941993514 was generated at 2026-11-21 09:30:00.321 UTC by worker 7 of datacenter 3, sequence 42.
                    "249828685941993514"    | 249828685941993514 was generated at 2026-11-21 09:30:00.321 UTC by worker 7 of datacenter 3, sequence 42.
                    """)
    void noDigitOfAnIdIsLost(String typed, String sentence) {
        showPage("");
        browser.type("#id", typed);
        browser.press(Keys.ENTER);

        browser.awaitText("#sentence", sentence);
        assertThat(browser.element("#id").getDomAttribute("aria-invalid")).isEqualTo("false");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    ``                      | Enter an ID.
                    -1                      | IDs are not negative, but this is -1.
                    9223372036854775808     | IDs are at most 9223372036854775807, but this is 9223372036854775808.
                    1.5418156036060365e+18  | 1.5418156036060365e+18 has been rounded, by a spreadsheet or by JavaScript. Copy the ID as text from its source.
                    ../orders               | An ID is a whole number from 0 to 9223372036854775807, or the public ID of an order, but this is ‘../orders’.
                    aH8JfX2rrMASE9zX18v     | id must be a whole number or the public ID of an order, but was 'aH8JfX2rrMASE9zX18v'
                    """)
    void invalidIdIsRejectedWithTheReason(String typed, String problem) {
        showPage("");
        browser.type("#id", typed);
        browser.click("#look button");

        browser.awaitText("#idProblem", problem);
        assertThat(browser.element("#id").getDomAttribute("aria-invalid")).isEqualTo("true");
        assertThat(browser.element("#result").isDisplayed()).isFalse();
    }

    @Test
    void anOrderThatIsPlacedIsTheFirstOne() {
        order("somebody before");
        showPage("");
        browser.type("#place [name=customer]", "Grace");
        browser.type("#place [name=quantity]", "3");
        browser.click("#place button");

        browser.awaitText("#orders tr:first-child [data-label=Customer]", "Grace");
        assertThat(browser.texts("#orders tr:first-child td")).contains("3 × tea", "13.50");
        String link = browser.element("#orders tr:first-child a").getText();
        assertThat(browser.element("#placed").getText()).isEqualTo("Placed: " + link);
        assertThat(browser.element("#orders tr:first-child a").getDomProperty("href"))
                .endsWith("/orders/" + link);

        browser.click("#orders tr:first-child button");
        IdFields fields = IdLayout.DEFAULT.decode(publicIds.decode("order", link));
        browser.awaitMatch(
                "#sentence",
                publicIds.decode("order", link) + " was generated at .* UTC by worker 0 of datacenter 0, sequence "
                        + fields.sequence() + "\\.");
        assertThat(browser.texts("#texts dd")).endsWith(link);

        browser.click("#nextId");
        browser.awaitMatch("#sentence", "(?!%s )\\d+ was generated at .*".formatted(publicIds.decode("order", link)));
        browser.click("#newestOrder");
        browser.awaitMatch("#sentence", publicIds.decode("order", link) + " was generated at .*");
    }

    @Test
    void anOrderThatIsRejectedIsExplained() {
        showPage("");
        browser.type("#place [name=product]", " ");
        browser.click("#place button");

        browser.awaitText("#placeProblem", "lines[0].product must have 1 to 200 characters, but has 0");
    }

    @Test
    void pagesContinueWhereThePreviousPageEndedWhateverIsPlacedMeanwhile() {
        for (int i = 1; i <= 21; i++) {
            order("customer " + i);
        }
        showPage("");
        assertThat(customers()).isEqualTo(customers(21, 12));

        order("somebody else");
        browser.click("#older");
        browser.awaitText("#page", "Page 2");
        assertThat(customers()).isEqualTo(customers(11, 2));

        browser.click("#older");
        browser.awaitText("#page", "Page 3");
        assertThat(customers()).startsWith("customer 1");

        browser.click("#newer");
        browser.awaitText("#page", "Page 2");
        browser.click("#newer");
        browser.awaitText("#page", "Page 1");
        assertThat(customers()).startsWith("somebody else", "customer 21");
        assertThat(browser.element("#newer").getDomAttribute("aria-disabled")).isEqualTo("true");
    }

    private static List<String> customers() {
        return browser.texts("#orders [data-label=Customer]");
    }

    private static List<String> customers(int from, int to) {
        return IntStream.iterate(from, i -> i >= to, i -> i - 1)
                .mapToObj(i -> "customer " + i)
                .toList();
    }

    @Test
    void processIsShownWithItsRateLeaseAndHealth() {
        showPage("");

        assertThat(browser.title()).isEqualTo("Snowflake shop");
        assertThat(browser.element("#pill").getText()).isEqualTo("HELD");
        assertThat(browser.texts("#facts dd")).contains("0 of datacenter 0", "leased, namespace 'default'");
        assertThat(browser.texts("#workers tr:first-child td"))
                .anySatisfy(cell -> assertThat(cell).isEqualTo("0 / 0"))
                .anySatisfy(cell -> assertThat(cell).isEqualTo("leased"))
                .anySatisfy(cell -> assertThat(cell).startsWith("shop, "));
        assertThat(browser.element("#workersText").getText())
                .isEqualTo("1 leased in namespace 'default', kept by jdbc.");
        browser.awaitMatch("#health", ".*db UP.*snowflake UP.*");
        browser.rememberTexts("#rate");
        browser.click("#generateIds");
        browser.awaitMatch("#generated", "\\d+ to \\d+");
        browser.awaitRememberedMatch("\\d+,\\d{3}");
        browser.awaitText("#rate", "0");
    }

    @Test
    void everythingIsReachableByKeyboardInOrderAndShowsTheFocus() {
        order("Ada");
        showPage("");
        browser.run("document.activeElement.blur()");
        Set<Object> reached = new LinkedHashSet<>();
        browser.press(Keys.TAB);
        assertThat(browser.focused().getText()).isEqualTo("Skip to the content");
        assertThat(browser.run("return document.activeElement.getBoundingClientRect().top >= 0"))
                .isEqualTo(true);
        while (reached.add(browser.focused())) {
            assertThat(browser.run("return getComputedStyle(document.activeElement).outlineStyle"))
                    .as(browser.focused().getText())
                    .isEqualTo("solid");
            browser.press(Keys.TAB);
            if (browser.focused().getTagName().equals("body")) {
                break;
            }
        }

        assertThat(reached.stream().toList()).isEqualTo(browser.run(CONTROLS));
    }

    @Test
    void anIdIsDecodedAndAnOrderPlacedWithoutAMouse() {
        showPage("");
        browser.run("document.activeElement.blur()");
        browser.press(Keys.TAB, Keys.ENTER, Keys.TAB);
        assertThat(browser.focused()).isEqualTo(browser.element("#id"));
        browser.press("1541815603606036480", Keys.TAB, "twitter", Keys.TAB, Keys.ENTER);
        browser.awaitMatch("#sentence", "1541815603606036480 was generated at 2022-06-28 .*");

        while (!browser.focused().equals(browser.element("[name=customer]"))) {
            browser.press(Keys.TAB);
        }
        browser.press("Only keys", Keys.TAB, "coffee", Keys.ENTER);
        browser.awaitText("#orders tr:first-child [data-label=Customer]", "Only keys");
        while (!browser.focused().getAccessibleName().startsWith("Decode a")) {
            browser.press(Keys.TAB);
        }
        browser.press(Keys.SPACE);
        browser.awaitMatch("#sentence", ".* by worker 0 of datacenter 0, .*");
        assertThat(browser.focused()).isEqualTo(browser.element("#sentence"));
    }

    @ParameterizedTest
    @ValueSource(ints = {320, 360, 768, 1280})
    void allFitsIntoTheWindowWithoutScrollingSideways(int width) {
        order("A customer whose name is rather long, and has noonecanbreakthiswordofmanyletters in it");
        browser.size(width, 740);
        showPage("?id=249828685941993514");
        browser.awaitMatch("#sentence", "249828685941993514 was generated at .*");

        assertThat(browser.run("return document.documentElement.scrollWidth")).isEqualTo((long) width);
        assertThat(browser.run("""
                return [...document.querySelectorAll('td, th, dd, .bits span, input, select, button')]
                  .filter(element => !element.closest('[hidden], thead') && !element.matches('.skip'))
                  .filter(element => {
                    const {left, right, width} = element.getBoundingClientRect();
                    return width === 0 || left < 0 || right > innerWidth;
                  }).map(element => element.outerHTML)""")).isEqualTo(List.of());
        assertThat(browser.run("""
                return [...document.querySelectorAll('input, select')]
                  .filter(field => parseFloat(getComputedStyle(field).fontSize) < 16).length""")).isEqualTo(0L);
    }

    @ParameterizedTest
    @CsvSource({"light, 1280", "dark, 1280", "light, 360", "dark, 360"})
    void contrastNamesAndStructureAreAccessible(String scheme, int width) throws IOException {
        order("Ada");
        browser.prefers(scheme, "reduce");
        browser.size(width, 900);
        showPage("?id=249828685941993514");
        browser.awaitMatch("#health", ".*snowflake UP.*");
        browser.type("#place [name=product]", " ");
        browser.click("#place button");
        browser.awaitMatch("#placeProblem", ".+");

        assertThat(browser.barriers()).isEmpty();
        assertThat(browser.run("return getComputedStyle(document.body).backgroundColor"))
                .isEqualTo(scheme.equals("dark") ? "rgb(11, 17, 32)" : "rgb(243, 246, 251)");
    }

    @Test
    void tooLittleContrastWouldBeFound() throws IOException {
        showPage("");
        browser.run("document.querySelector('header p').style.color = '#8a8a8a'");

        assertThat(browser.barriers()).singleElement().asString().contains("insufficient color contrast of 3.45");
    }

    @Test
    void nothingMovesIfReducedMotionIsPreferred() {
        showPage("");

        assertThat(moving()).isEqualTo(0L);

        browser.prefers("light", "no-preference");
        assertThat(moving()).isNotEqualTo(0L);
    }

    private static Object moving() {
        return browser.run("""
                return [...document.querySelectorAll('*')].map(element => getComputedStyle(element)).filter(style =>
                  style.transitionDuration !== '0s' || style.animationName !== 'none' || style.scrollBehavior === 'smooth').length""");
    }

    @Test
    void everythingComesFromTheShopItself() {
        showPage("");

        assertThat(new HashSet<>((List<?>) browser.run(
                        "return performance.getEntriesByType('resource').map(entry => new URL(entry.name).origin)")))
                .isEqualTo(Set.of("http://localhost:" + port));
    }
}
