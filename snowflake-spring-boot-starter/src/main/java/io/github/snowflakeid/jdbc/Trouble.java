package io.github.snowflakeid.jdbc;

import io.github.snowflakeid.internal.ControlCharacters;
import io.github.snowflakeid.jdbc.JdbcRegistryException.Problem;
import io.github.snowflakeid.store.Causes;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tells failures of databases and pools apart, by SQL states and, where those are vague, by numbers of the vendor. */
final class Trouble {

    private Trouble() {}

    /** What it means that no connection could be had. */
    static Problem ofConnecting(Throwable failure) {
        @Nullable SQLException refusal = null;
        int exceptions = 0;
        for (Throwable cause : Causes.of(failure)) {
            if (cause instanceof SQLException sql) {
                if (state(sql).equals(OwnConnection.NO_DRIVER)) {
                    return Problem.NO_DRIVER;
                }
                refusal = sql;
                exceptions++;
            }
            // DBCP and Tomcat's pool have no other sign.
            if (cause instanceof NoSuchElementException
                    || cause.getClass().getSimpleName().equals("PoolExhaustedException")) {
                return Problem.POOL_BUSY;
            }
        }
        if (refusal == null) {
            return Problem.NO_ANSWER;
        }
        String state = state(refusal);
        int code = refusal.getErrorCode();
        if (state.startsWith("28") || code == 1044 || code == 1045 || code == 1017 || code == 18456) {
            return Problem.LOGIN_REFUSED;
        }
        if (state.equals("3D000") || code == 1049 || code == 4060 || code == 12514 || code == -465) {
            return Problem.NO_DATABASE;
        }
        switch (state) {
            // H2: a database that is not there and may not be created, a url that is none, a setting that there is none
            // of.
            case "90013", "90146", "90149" -> {
                return Problem.NO_DATABASE;
            }
            case "90011", "90046", "90113" -> {
                return Problem.NO_DRIVER;
            }
            default -> {
                // Hikari's exception has the last failure of the driver as its cause, if there was one.
                return exceptions == 1 && refusal instanceof SQLTransientConnectionException && !isEmptyPool(refusal)
                        ? Problem.POOL_BUSY
                        : Problem.NO_ANSWER;
            }
        }
    }

    /** Hikari forgets the driver's failure once it has told it. Where it has no connection, none is in use. */
    private static boolean isEmptyPool(SQLException refusal) {
        return refusal.getMessage() != null && refusal.getMessage().contains("(total=0,");
    }

    /** What it means that a statement failed. */
    static Problem ofStatement(SQLException failure) {
        String state = state(failure);
        int code = failure.getErrorCode();
        boolean ofHsqldb = code == -5501;
        if (isNotPermitted(state, code) && !ofHsqldb) {
            return Problem.NOT_PERMITTED;
        }
        if (state.equals("25006") || state.equals("90097") || isReadOnly(code, state)) {
            return Problem.READ_ONLY;
        }
        return switch (state) {
            // HSQLDB does not tell a missing table from one that somebody may not read.
            case "42P01", "3F000", "42S02", "42S03", "42S04", "S0002", "90079", "42501" -> Problem.NO_TABLE;
            default -> {
                if ((code == 1049 || code == 942) && state.startsWith("42")) {
                    yield Problem.NO_TABLE;
                }
                yield state.startsWith("42") || state.startsWith("S0") ? Problem.WRONG_TABLE : Problem.NO_ANSWER;
            }
        };
    }

    private static boolean isNotPermitted(String state, int code) {
        if (state.equals("42000")) {
            return code == 1142 || code == 1143 || code == 1044 || code == 1227 || code == 1370 || code == 1031;
        }
        return state.equals("42501")
                || state.equals("90096")
                || state.equals("90040")
                || (state.startsWith("S0") && (code == 229 || code == 230 || code == 262));
    }

    private static boolean isReadOnly(int code, String state) {
        return switch (state) {
            case "HY000" -> code == 1290 || code == 1836;
            case "72000", "99999" -> code == 16000;
            case "S0001", "S0002" -> code == 3906;
            case "S1000" -> code == -455 || code == -456;
            default -> false;
        };
    }

    /** Whether the database has rolled the transaction back for another one, so that the same may be tried again. */
    static boolean isRolledBack(SQLException failure) {
        return switch (state(failure)) {
            // By the standard, of PostgreSQL for a deadlock, of H2 for a row that has changed meanwhile.
            case "40001", "40P01", "90131" -> true;
            default -> false;
        };
    }

    /** Whether there is a row with that key already. */
    static boolean isDuplicate(SQLException failure) {
        int code = failure.getErrorCode();
        return switch (state(failure)) {
            case "23505" -> true;
            case "23000" -> code == 1062 || code == 1 || code == 2627 || code == 2601;
            default -> false;
        };
    }

    private static String state(SQLException failure) {
        return Objects.requireNonNullElse(failure.getSQLState(), "");
    }

    /** What a failure says, and what it comes from, in one line and without the text of the statement. */
    static String text(Throwable failure, @Nullable ConnectionSettings settings) {
        String what = line(failure, settings);
        Throwable root = failure;
        for (Throwable cause : Causes.of(failure)) {
            // A socket says less than the driver.
            if (cause instanceof SQLException || !(root instanceof SQLException)) {
                root = cause;
            }
        }
        String why = line(root, settings);
        return what.contains(why) ? what : what + ": " + why;
    }

    private static String line(Throwable failure, @Nullable ConnectionSettings settings) {
        String message = failure.getMessage();
        if (message == null || message.isBlank()) {
            return failure.getClass().getSimpleName();
        }
        String clean = settings == null ? Secrets.hiddenIn(message) : settings.withoutSecrets(message);
        String first = clean.strip().lines().findFirst().orElseThrow();
        for (String statement : new String[] {"; SQL statement:", " in statement ["}) {
            int end = first.indexOf(statement);
            first = end < 0 ? first : first.substring(0, end);
        }
        return ControlCharacters.escape(first.strip());
    }

    /**
     * The failure itself if all that it and its causes say may be shown in one line, else one that says what may. Somebody
     * above us shows the message of the innermost cause.
     */
    static Throwable presentable(Throwable failure, @Nullable ConnectionSettings settings) {
        if (isPresentable(failure, settings)) {
            return failure;
        }
        Throwable copy = copy(failure, settings);
        for (Throwable also : failure.getSuppressed()) {
            // Without what it suppresses itself, which may be the failure.
            copy.addSuppressed(isPresentable(also, settings) ? also : copy(also, settings));
        }
        return copy;
    }

    private static boolean isPresentable(Throwable failure, @Nullable ConnectionSettings settings) {
        // Who looks for the innermost cause would not come to an end in a circle.
        boolean ends = Causes.root(failure).getCause() == null;
        return ends
                && Causes.of(failure).stream()
                        .allMatch(cause ->
                                cause.getMessage() == null || cause.getMessage().equals(line(cause, settings)));
    }

    private static Throwable copy(Throwable failure, @Nullable ConnectionSettings settings) {
        Throwable copy = failure instanceof SQLException sql
                ? new SQLException(text(failure, settings), sql.getSQLState(), sql.getErrorCode())
                : new IllegalStateException(text(failure, settings));
        copy.setStackTrace(failure.getStackTrace());
        return copy;
    }
}
