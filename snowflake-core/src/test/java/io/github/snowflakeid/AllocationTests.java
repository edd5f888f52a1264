package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AllocationTests {

    private static final WorkerId WORKER = new WorkerId(0, 1, "test");

    private static final Allocation NONE = Allocation.none(WORKER);
    private static final Allocation LEASED =
            Allocation.leased(new Allocation.Grant(WORKER, IdLayout.DEFAULT, 5, 10, 8), 5 << 12, NONE);

    static Stream<Allocation> withoutATick() {
        return Stream.of(Allocation.none(WORKER), LEASED.vacant(), LEASED.closed());
    }

    @Test
    void skippingNeverGoesBackFromBehindTheLastOfSixtyThreeBits() {
        Allocation allocation =
                Allocation.leased(new Allocation.Grant(WORKER, IdLayout.DEFAULT, 0, 10, 8), Long.MAX_VALUE, NONE);
        allocation.claim(5);
        long behind = Long.MIN_VALUE + 4;

        assertThat(allocation.skip(0, 0)).isTrue();
        assertThat(allocation.next()).isEqualTo(behind);
        assertThat(allocation.skip(4, 5)).isTrue();
        assertThat(allocation.next()).isEqualTo(behind);
    }

    /** Otherwise, IDs of a worker ID that was never granted would be issued. */
    @ParameterizedTest
    @MethodSource("withoutATick")
    void fenceStaysIfNoTickWasGranted(Allocation placeholder) {
        assertThatIllegalStateException()
                .isThrownBy(() -> placeholder.moveFence(20, 18))
                .withMessage("Fence not moved: the allocation has no ticks");

        assertThat(placeholder.fence()).isZero();
        assertThat(placeholder.hasSlots()).isFalse();
    }
}
