package io.github.snowflakeid.internal.store;

import io.github.snowflakeid.internal.failure.Problem;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A failure that a server reports by words in its answer.
 *
 * @param words a regular expression that finds the words
 * @param problem the problem
 * @param what the description, as a format
 * @param action the solution, as a format with the same arguments
 */
public record FailureRule(String words, Problem problem, String what, String action) {

    private static final Set<Problem> PERMANENT =
            Set.of(Problem.LOGIN_REJECTED, Problem.MISSING_PERMISSION, Problem.STORE_UNUSABLE);

    /**
     * Finds the failure that an answer reports.
     *
     * @param rules the known failures
     * @param answer the text of the answer
     * @return the first failure whose words are found; null if the failure is unknown
     */
    public static @Nullable FailureRule find(List<FailureRule> rules, String answer) {
        return rules.stream()
                .filter(rule -> Pattern.compile(rule.words).matcher(answer).find())
                .findFirst()
                .orElse(null);
    }

    /**
     * Returns whether the failure lasts until its cause is repaired.
     *
     * @return whether the store cannot be used until then
     */
    public boolean isPermanent() {
        return PERMANENT.contains(problem);
    }
}
