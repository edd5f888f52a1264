package io.github.snowflakeid;

import io.github.snowflakeid.worker.LeaseTerms;
import io.github.snowflakeid.worker.WorkerRegistry.Claim;
import io.github.snowflakeid.worker.WorkerRegistry.Entry;
import io.github.snowflakeid.worker.WorkerRegistry.Snapshot;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The leases of this process that its generators may share, by their tokens. A new lease whose registry shows the token of another
 * open lease of this process hands its tenant over to that one: the token is random, so both use one store. Equal addresses
 * would prove nothing. A copy of the store shows the token, too, but only until the lease expires there.
 */
final class SharedLeases {

    private static final ConcurrentMap<String, Offer> OFFERS = new ConcurrentHashMap<>();

    private record Offer(Tenants tenants, TimeSource time, OptionalInt datacenterId) {}

    private SharedLeases() {}

    /** Lets others of this process live on a lease, if its terms allow it. */
    static void offer(Claim claim, Tenants tenants, TimeSource time) {
        LeaseTerms terms = tenants.host().terms;
        if (terms.shared()) {
            OFFERS.put(claim.owner(), new Offer(tenants, time, terms.datacenterId()));
        }
    }

    /** Nobody comes any more. */
    static void withdraw(Claim claim) {
        OFFERS.remove(claim.owner());
    }

    /** Whether the only tenant of a new lease has moved to another one, which the registry shows. */
    static boolean take(Tenants newcomer, Snapshot seen, CandidateSelector choice, TimeSource time) {
        LeaseTerms terms = newcomer.host().terms;
        if (!terms.shared()) {
            return false;
        }
        for (Entry entry : seen.entries()) {
            Offer other = entry.owner() == null ? null : OFFERS.get(entry.owner());
            // Its own may be there where an error came before it has opened.
            if (other != null
                    && other.tenants != newcomer
                    && choice.allows(entry)
                    && entry.expiresAt().isAfter(seen.now())
                    && terms.datacenterId().equals(other.datacenterId)
                    && time.isSameAs(other.time)
                    && newcomer.moveTo(other.tenants)) {
                return true;
            }
        }
        return false;
    }
}
