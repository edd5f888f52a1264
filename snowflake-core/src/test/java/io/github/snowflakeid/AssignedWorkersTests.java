package io.github.snowflakeid;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.worker.WorkerId;
import io.github.snowflakeid.worker.WorkerIdAssigner;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Generators in the same process with the same fixed worker ID, whatever the clock does in between. */
class AssignedWorkersTests {

    private static final int BITS = IdLayout.DEFAULT.sequenceBits();
    private static final TimeSource SYSTEM = new TimeSource(TimeSource.SYSTEM);

    private static Allocation open(int workerId, long firstTick, long lastTick) {
        WorkerId worker = new WorkerId(30, workerId, "test");
        Allocation.Grant grant =
                new Allocation.Grant(worker, IdLayout.DEFAULT, 0, IdLayout.DEFAULT.endTick(), Long.MAX_VALUE);
        Allocation before = Allocation.assigned(grant, (lastTick + 1) << BITS, -1, Allocation.none(worker));
        return AssignedWorkers.open(grant, SYSTEM, firstTick << BITS, before.closed());
    }

    @Test
    void generatorContinuesBehindTheIdsOfAClosedOne() {
        Allocation first = open(1, 100, 0);
        first.claim(3);
        AssignedWorkers.close(first, IdLayout.DEFAULT);

        Allocation second = open(1, 50, 0);

        assertThat(second).isNotSameAs(first);
        assertThat(second.next()).isEqualTo(101L << BITS);
        AssignedWorkers.close(second, IdLayout.DEFAULT);
    }

    @Test
    void generatorThatJoinsAnOpenOneContinuesBehindItsOwnIds() {
        Allocation first = open(2, 100, 0);
        first.claim(3);

        assertThat(open(2, 50, 80)).isSameAs(first);
        assertThat(first.next()).isEqualTo((100L << BITS) + 3);
        assertThat(open(2, 50, 200)).isSameAs(first);
        assertThat(first.next()).isEqualTo(201L << BITS);
    }

    @Test
    void allocationOfTheLastOpenGeneratorDoesNotComeBack() {
        Allocation first = open(3, 100, 0);
        Allocation second = open(3, 100, 0);
        AssignedWorkers.close(first, IdLayout.DEFAULT);
        assertThat(open(3, 100, 0)).isSameAs(first).isSameAs(second);

        AssignedWorkers.close(first, IdLayout.DEFAULT);
        AssignedWorkers.close(first, IdLayout.DEFAULT);

        assertThat(open(3, 100, 0)).isNotSameAs(first);
    }

    /** The slot after the last one is 2^63, which is negative as a signed number. */
    @Test
    void generatorContinuesBehindTheLastIdOfSixtyThreeBits() {
        IdLayout layout = new IdLayout(Instant.EPOCH, Duration.ofMillis(1), 62, 0, 0, 1);
        long last = layout.endTick() - 1;
        Allocation first = openAt(layout, last << 1);
        first.claim(2);
        AssignedWorkers.close(first, layout);

        assertThat(openAt(layout, last << 1).next()).isEqualTo(layout.endTick() << 1);
    }

    private static Allocation openAt(IdLayout layout, long firstSlot) {
        WorkerId worker = WorkerIdAssigner.fixed(0, 0).assign(layout);
        Allocation.Grant grant = new Allocation.Grant(worker, layout, 0, layout.endTick(), Long.MAX_VALUE);
        return AssignedWorkers.open(grant, new TimeSource(TimeSource.SYSTEM), firstSlot, Allocation.none(worker));
    }
}
