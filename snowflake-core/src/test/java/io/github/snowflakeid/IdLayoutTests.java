package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdLayoutTests {

    @ParameterizedTest
    @CsvSource({
        "twitter,        1541815603606036480, 1656432460105, 11, 26, 0",
        "twitter,        1278735254782615552, 1593709217149, 11, 2,  0",
        "discord,        175928847299117063,  1462015105796, 1,  0,  7",
        "shardingsphere, 725026630224842752,  1650818218989, 0,  1,  0",
    })
    void decodesAndEncodesIdsThatRealSystemsGenerated(
            String preset, long id, long millis, int datacenterId, int workerId, int sequence) {
        IdLayout layout = IdLayout.presets().get(preset);
        IdFields fields = new IdFields(Instant.ofEpochMilli(millis), datacenterId, workerId, sequence);

        assertThat(layout.decode(id)).isEqualTo(fields);
        assertThat(layout.encode(fields)).isEqualTo(id);
    }

    @Test
    void shardingSpheresExampleIsOfItsPublishedDate() {
        assertThat(IdLayout.SHARDINGSPHERE.decode(725026630224842752L).timestamp())
                .isEqualTo(Instant.parse("2022-04-24T16:36:58.989Z"));
    }

    @ParameterizedTest
    @CsvSource({
        "default,         '41+5+5+12 bits of 1 ms from 2025-01-01T00:00:00Z (4096000 IDs/s per worker, ends 2094-09-07T15:47:35.552Z)'",
        "twitter,         '41+5+5+12 bits of 1 ms from 2010-11-04T01:42:54.657Z (4096000 IDs/s per worker, ends 2080-07-10T17:30:30.209Z)'",
        "leaf,            '41+0+10+12 bits of 1 ms from 2010-11-04T01:42:54.657Z (4096000 IDs/s per worker, ends 2080-07-10T17:30:30.209Z)'",
        "shardingsphere,  '41+0+10+12 bits of 1 ms from 2016-11-01T00:00:00Z (4096000 IDs/s per worker, ends 2086-07-08T15:47:35.552Z)'",
        "baidu,           '28+0+22+13 bits of 1 s from 2016-05-19T16:00:00Z (8192 IDs/s per worker, ends 2024-11-20T13:24:16Z)'",
        "discord,         '42+5+5+12 bits of 1 ms from 2015-01-01T00:00:00Z (4096000 IDs/s per worker, ends 2084-09-06T15:47:35.552Z)'",
        "javascript-safe, '41+0+5+7 bits of 1 ms from 2025-01-01T00:00:00Z (128000 IDs/s per worker, ends 2094-09-07T15:47:35.552Z)'",
    })
    void presetsHaveTheirPublishedWidthsUnitsAndEpochs(String preset, String description) {
        assertThat(IdLayout.presets().get(preset)).hasToString(description);
    }

    @Test
    void presetsAreListedByTheNamesThatConfigurationUses() {
        assertThat(IdLayout.presets().keySet())
                .containsExactly("default", "twitter", "leaf", "shardingsphere", "baidu", "discord", "javascript-safe");
    }

    @Test
    void everyJavaScriptSafeIdIsExactAsANumberOfJavaScript() {
        IdLayout layout = IdLayout.JAVASCRIPT_SAFE;
        long highest = layout.encode(new IdFields(layout.end().minusMillis(1), 0, 31, 127));

        assertThat(highest).isEqualTo((1L << 53) - 1);
        assertThat((long) (double) highest).isEqualTo(highest);
        assertThat((long) (double) (highest - 1)).isEqualTo(highest - 1);
    }

    @Test
    void capacityFollowsTickAndSequence() {
        assertThat(IdLayout.DEFAULT.capacityPerSecond()).isEqualTo(4_096_000);
        assertThat(IdLayout.BAIDU.capacityPerSecond()).isEqualTo(8_192);
        assertThat(IdLayout.builder()
                        .tick(Duration.ofMillis(10))
                        .sequenceBits(8)
                        .build()
                        .capacityPerSecond())
                .isEqualTo(25_600);
        assertThat(IdLayout.builder()
                        .tick(Duration.ofHours(1))
                        .sequenceBits(0)
                        .build()
                        .capacityPerSecond())
                .isZero();
    }

    @Test
    void highestValuesFollowTheWidths() {
        IdLayout layout = IdLayout.builder()
                .timestampBits(10)
                .datacenterBits(0)
                .workerBits(22)
                .sequenceBits(31)
                .build();

        assertThat(layout.maxDatacenterId()).isZero();
        assertThat(layout.maxWorkerId()).isEqualTo(4_194_303);
        assertThat(layout.maxSequence()).isEqualTo(Integer.MAX_VALUE);
    }

    @RepeatedTest(2000)
    void decodesWhatItEncodedAndKeepsTheOrderOfTickAndSequence(RepetitionInfo repetition) {
        SplittableRandom random = new SplittableRandom(repetition.getCurrentRepetition());
        IdLayout layout = randomLayout(random);
        IdFields one = randomFields(layout, random);
        IdFields other = random.nextInt(4) == 0
                ? new IdFields(
                        one.timestamp(),
                        one.datacenterId(),
                        one.workerId(),
                        randomFields(layout, random).sequence())
                : randomFields(layout, random);
        long id = layout.encode(one);
        long otherId = layout.encode(other);

        assertThat(id).isNotNegative();
        assertThat(layout.decode(id)).isEqualTo(one);
        assertThat(layout.encode(layout.decode(otherId))).isEqualTo(otherId);
        int byTimestamp = one.timestamp().compareTo(other.timestamp());
        if (byTimestamp != 0) {
            assertThat(Integer.signum(Long.compare(id, otherId))).isEqualTo(Integer.signum(byTimestamp));
        } else if (one.datacenterId() == other.datacenterId() && one.workerId() == other.workerId()) {
            assertThat(Long.compare(id, otherId)).isEqualTo(Integer.compare(one.sequence(), other.sequence()));
        }
    }

    @RepeatedTest(500)
    void acceptsTheEndsOfEveryFieldAndRejectsTheNextValue(RepetitionInfo repetition) {
        IdLayout layout = randomLayout(new SplittableRandom(-repetition.getCurrentRepetition()));
        Instant lastTick = layout.end().minus(layout.tick());
        IdFields lowest = new IdFields(layout.epoch(), 0, 0, 0);
        IdFields highest = new IdFields(lastTick, layout.maxDatacenterId(), layout.maxWorkerId(), layout.maxSequence());

        assertThat(layout.encode(lowest)).isZero();
        assertThat(layout.decode(0)).isEqualTo(lowest);
        assertThat(layout.decode(layout.encode(highest))).isEqualTo(highest);
        int bits = layout.timestampBits() + layout.datacenterBits() + layout.workerBits() + layout.sequenceBits();
        assertThat(layout.encode(highest)).isEqualTo(bits >= 63 ? Long.MAX_VALUE : (1L << bits) - 1);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> layout.encode(new IdFields(layout.end(), 0, 0, 0)))
                .withMessage("timestamp must be at or after %s and before %s, but was %s"
                        .formatted(layout.epoch(), layout.end(), layout.end()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> layout.encode(new IdFields(layout.epoch().minusMillis(1), 0, 0, 0)));
        assertOutOfRange(layout, "sequence", layout.sequenceBits(), v -> new IdFields(lastTick, 0, 0, v));
        assertOutOfRange(layout, "workerId", layout.workerBits(), v -> new IdFields(lastTick, 0, v, 0));
        assertOutOfRange(layout, "datacenterId", layout.datacenterBits(), v -> new IdFields(lastTick, v, 0, 0));
        if (bits < 63) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> layout.decode(1L << bits))
                    .withMessage("ID must be less than 2^%s (the layout has %s bits), but was %s"
                            .formatted(bits, bits, 1L << bits));
        }
    }

    private static void assertOutOfRange(IdLayout layout, String name, int bits, IntFunction<IdFields> fields) {
        String field = name.replace("Id", "");
        long max = (1L << bits) - 1;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> layout.encode(fields.apply(-1)))
                .withMessage("%s must be in [0, %s] (%s %s bits), but was -1".formatted(name, max, bits, field));
        if (max < Integer.MAX_VALUE) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> layout.encode(fields.apply((int) max + 1)))
                    .withMessage("%s must be in [0, %s] (%s %s bits), but was %s"
                            .formatted(name, max, bits, field, max + 1));
        }
    }

    @Test
    void layoutsOfSixtyThreeAndSixtyFourBitsEndWithTheSameLastPositiveId() {
        for (int timestampBits : new int[] {41, 42}) {
            IdLayout layout = IdLayout.builder().timestampBits(timestampBits).build();
            IdFields last = layout.decode(Long.MAX_VALUE);

            assertThat(last).isEqualTo(new IdFields(Instant.parse("2094-09-07T15:47:35.551Z"), 31, 31, 4095));
            assertThat(layout.end()).isEqualTo("2094-09-07T15:47:35.552Z");
        }
    }

    @Test
    void timestampWithinATickCountsAsItsStart() {
        Instant within = Instant.parse("2020-01-01T00:00:07.999Z");

        assertThat(IdLayout.BAIDU.decode(IdLayout.BAIDU.encode(new IdFields(within, 0, 1, 2))))
                .isEqualTo(new IdFields(Instant.parse("2020-01-01T00:00:07Z"), 0, 1, 2));
    }

    @ParameterizedTest
    @CsvSource({
        "twitter,        1541815603606036480, 2022-06-28T16:07:40.105Z",
        "shardingsphere, 725026630224842752,  2022-04-24T16:36:58.989Z",
        "default,        249828685941993514,  2026-11-21T09:30:00.321Z",
    })
    void readsTheTimeOfAnId(String preset, long id, Instant time) {
        assertThat(IdLayout.presets().get(preset).timestamp(id)).isEqualTo(time);
    }

    @Test
    void readsNoTimeOfANumberThatIsNoId() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdLayout.DEFAULT.timestamp(-1))
                .withMessage("ID must not be negative, but was -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdLayout.JAVASCRIPT_SAFE.timestamp(1L << 53))
                .withMessage("ID must be less than 2^53 (the layout has 53 bits), but was 9007199254740992");
    }

    @RepeatedTest(500)
    void firstIdIsTheLowestOfItsTickForAllWorkers(RepetitionInfo repetition) {
        SplittableRandom random = new SplittableRandom(repetition.getCurrentRepetition());
        IdLayout layout = randomLayout(random);
        IdFields fields = randomFields(layout, random);
        long first = layout.firstId(fields.timestamp());

        assertThat(layout.decode(first)).isEqualTo(new IdFields(fields.timestamp(), 0, 0, 0));
        assertThat(layout.encode(fields)).isGreaterThanOrEqualTo(first);
        assertThat(layout.firstId(fields.timestamp().plus(layout.tick()).minusMillis(1)))
                .isEqualTo(first);
        if (first > 0) {
            assertThat(layout.timestamp(first - 1)).isEqualTo(fields.timestamp().minus(layout.tick()));
        }
    }

    @Test
    void firstIdNamesTheLimitsOfTheLayout() {
        IdLayout layout = IdLayout.DEFAULT;
        String message =
                "timestamp must be at or after 2025-01-01T00:00:00Z and before 2094-09-07T15:47:35.552Z, but was ";

        assertThat(layout.firstId(layout.epoch())).isZero();
        for (Instant outside : new Instant[] {layout.epoch().minusMillis(1), layout.end(), Instant.MAX}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> layout.firstId(outside))
                    .withMessage(message + outside);
        }
    }

    @RepeatedTest(500)
    void rangeContainsTheIdsOfASpanAndNoOthers(RepetitionInfo repetition) {
        SplittableRandom random = new SplittableRandom(repetition.getCurrentRepetition());
        IdLayout layout = randomLayout(random);
        IdFields some = randomFields(layout, random);
        IdFields other = randomFields(layout, random);
        IdFields from = some.timestamp().isAfter(other.timestamp()) ? other : some;
        IdFields to = from == some ? other : some;
        IdRange range = layout.range(from.timestamp(), to.timestamp());

        assertThat(range.contains(layout.encode(from)))
                .isEqualTo(from.timestamp().isBefore(to.timestamp()));
        assertThat(range.contains(layout.encode(to))).isFalse();
        assertThat(range.isEmpty()).isEqualTo(from.timestamp().equals(to.timestamp()));
        assertThat(layout.range(to.timestamp(), layout.end()).first()).isEqualTo(range.last() + 1);
    }

    @ParameterizedTest
    @CsvSource({"default", "baidu", "discord", "javascript-safe"})
    void rangeOfTheWholeLifeEndsWithTheHighestId(String preset) {
        IdLayout layout = IdLayout.presets().get(preset);
        long highest = layout.encode(new IdFields(
                layout.end().minusMillis(1), layout.maxDatacenterId(), layout.maxWorkerId(), layout.maxSequence()));

        assertThat(layout.range(layout.epoch(), layout.end())).isEqualTo(new IdRange(0, highest));
    }

    @Test
    void rangeWithinOneTickIsEmptyAndItsLastIdIsBelowItsFirst() {
        Instant second = Instant.parse("2020-01-01T00:00:07Z");
        IdRange range = IdLayout.BAIDU.range(second, second.plusMillis(999));

        assertThat(range.isEmpty()).isTrue();
        assertThat(range.last()).isEqualTo(range.first() - 1);
        assertThat(range.contains(range.first())).isFalse();
        assertThat(IdLayout.BAIDU.range(second, second.plusMillis(1000)).isEmpty())
                .isFalse();
    }

    @Test
    void rangeMustNotEndBeforeItBegins() {
        Instant march = Instant.parse("2026-03-01T00:00:00Z");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdLayout.DEFAULT.range(march, march.minusNanos(1)))
                .withMessage("from must not be after to, but from was 2026-03-01T00:00:00Z"
                        + " and to was 2026-02-28T23:59:59.999999999Z");
    }

    @Test
    void rejectsNegativeIds() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdLayout.DEFAULT.decode(-1))
                .withMessage("ID must not be negative, but was -1");
    }

    @Test
    void reportsTheSumOfALayoutThatIsTooWide() {
        assertInvalid(
                builder -> builder.sequenceBits(14),
                "Invalid layout: widths must add up to at most 64 bits, but add up to 65"
                        + " (41 timestamp + 5 datacenter + 5 worker + 14 sequence)");
    }

    @Test
    void reportsAllErrorsAtOnce() {
        assertInvalid(
                builder -> builder.timestampBits(0)
                        .datacenterBits(-1)
                        .workerBits(32)
                        .sequenceBits(40)
                        .tick(Duration.ofNanos(1_500_000))
                        .epoch(Instant.EPOCH.plusNanos(1)),
                "Invalid layout: timestampBits must be in [1, 62], but was 0"
                        + "; datacenterBits must be in [0, 31], but was -1"
                        + "; workerBits must be in [0, 31], but was 32"
                        + "; sequenceBits must be in [0, 31], but was 40"
                        + "; tick must be a whole number of milliseconds from 1 ms to 1 h, but was PT0.0015S"
                        + "; epoch must be a whole number of milliseconds, but was 1970-01-01T00:00:00.000000001Z");
    }

    @ParameterizedTest
    @CsvSource({"PT0S", "PT-1S", "PT1H0.001S", "PT0.0000001S", "PT99999999999H"})
    void rejectsTicksThatAreNotWholeMillisecondsOfAnHour(Duration tick) {
        assertInvalid(
                builder -> builder.tick(tick),
                "Invalid layout: tick must be a whole number of milliseconds from 1 ms to 1 h, but was " + tick);
    }

    @Test
    void acceptsTheShortestAndTheLongestTick() {
        assertThat(IdLayout.builder().tick(Duration.ofHours(1)).build().toString())
                .startsWith("41+5+5+12 bits of 3600 s from 2025-01-01T00:00:00Z (1 IDs/s per worker, ends +");
        assertThat(IdLayout.builder().tick(Duration.ofMillis(1)).build()).isEqualTo(IdLayout.DEFAULT);
        assertThat(IdLayout.builder().tick(Duration.ofMillis(1500)).build().toString())
                .startsWith("41+5+5+12 bits of 1500 ms from");
    }

    @Test
    void rejectsAnEndBeyondTheRangeOfClocks() {
        assertInvalid(
                builder -> builder.timestampBits(62)
                        .datacenterBits(0)
                        .workerBits(0)
                        .sequenceBits(0)
                        .tick(Duration.ofSeconds(2)),
                "Invalid layout: epoch and end must be within 292,000,000 years of 1970,"
                        + " but 4611686018427387904 ticks of 2 s from 2025-01-01T00:00:00Z are not");
        assertInvalid(
                builder -> builder.epoch(Instant.MAX.minusNanos(999_999_999)),
                "Invalid layout: epoch and end must be within 292,000,000 years of 1970,"
                        + " but 2199023255552 ticks of 1 ms from +1000000000-12-31T23:59:59Z are not");
    }

    @Test
    void namesTheMissingComponent() {
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> new IdLayout(null, Duration.ofMillis(1), 41, 5, 5, 12))
                .withMessage("epoch");
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> new IdLayout(Instant.EPOCH, null, 41, 5, 5, 12))
                .withMessage("tick");
    }

    private static void assertInvalid(Consumer<IdLayout.Builder> change, String message) {
        IdLayout.Builder builder = IdLayout.builder();
        change.accept(builder);
        assertThatIllegalArgumentException().isThrownBy(builder::build).withMessage(message);
    }

    private static IdLayout randomLayout(SplittableRandom random) {
        while (true) {
            int total = switch (random.nextInt(4)) {
                case 0 -> 64;
                case 1 -> 63;
                default -> 1 + random.nextInt(64);
            };
            int sequence = random.nextInt(Math.min(31, total - 1) + 1);
            int worker = random.nextInt(Math.min(31, total - 1 - sequence) + 1);
            int datacenter = random.nextInt(Math.min(31, total - 1 - sequence - worker) + 1);
            int timestamp = total - sequence - worker - datacenter;
            long tick = new long[] {1, 10, 1000, 1 + random.nextInt(3_600_000)}[random.nextInt(4)];
            boolean inRangeOfClocks = timestamp <= 62
                    && Math.multiplyHigh(1L << timestamp, tick) == 0
                    && (1L << timestamp) * tick < Long.MAX_VALUE / 2
                    && (1L << timestamp) * tick > 0;
            if (inRangeOfClocks) {
                return new IdLayout(
                        Instant.ofEpochMilli(random.nextLong(-4_000_000_000_000L, 4_000_000_000_000L)),
                        Duration.ofMillis(tick),
                        timestamp,
                        datacenter,
                        worker,
                        sequence);
            }
        }
    }

    @Test
    void equalLayoutsHaveOneHashCodeAndDifferentOnesDiffer() {
        assertThat(IdLayout.DEFAULT.toBuilder().build())
                .isEqualTo(IdLayout.DEFAULT)
                .hasSameHashCodeAs(IdLayout.DEFAULT);
        assertThat(Stream.of(
                                IdLayout.DEFAULT,
                                IdLayout.TWITTER,
                                IdLayout.LEAF,
                                IdLayout.SHARDINGSPHERE,
                                IdLayout.BAIDU,
                                IdLayout.DISCORD,
                                IdLayout.JAVASCRIPT_SAFE,
                                IdLayout.DEFAULT.toBuilder()
                                        .datacenterBits(4)
                                        .workerBits(6)
                                        .build())
                        .map(IdLayout::hashCode))
                .doesNotHaveDuplicates();
    }

    private static IdFields randomFields(IdLayout layout, SplittableRandom random) {
        long ticks = Duration.between(layout.epoch(), layout.end()).toMillis()
                / layout.tick().toMillis();
        return new IdFields(
                layout.epoch().plusMillis(random.nextLong(ticks) * layout.tick().toMillis()),
                (int) random.nextLong(layout.maxDatacenterId() + 1L),
                (int) random.nextLong(layout.maxWorkerId() + 1L),
                (int) random.nextLong(layout.maxSequence() + 1L));
    }
}
