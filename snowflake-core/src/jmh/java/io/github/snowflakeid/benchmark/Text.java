package io.github.snowflakeid.benchmark;

import io.github.snowflakeid.text.IdFormat;
import io.github.snowflakeid.text.PublicIds;
import io.github.snowflakeid.text.PublicIds.Format;
import io.github.snowflakeid.text.PublicIds.Key;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.bouncycastle.crypto.fpe.FPEFF1Engine;
import org.bouncycastle.crypto.params.FPEParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.hashids.Hashids;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.sqids.Sqids;

/** The cost of writing an ID as text and of reading it. All threads share one writer if it can be shared. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class Text {

    private static final String KEY = "fo0uMi2XmhiOGJqGRjg+I+Qj7slFpVTq3ucMbzvrmSU=";
    static final long FIRST_ID = 249828685941993514L;

    /** The writers of texts. */
    public enum Writer {
        DECIMAL("`IdFormat.DECIMAL`", format(IdFormat.DECIMAL)),
        HEXADECIMAL("`IdFormat.HEXADECIMAL`", format(IdFormat.HEXADECIMAL)),
        CROCKFORD("`IdFormat.CROCKFORD`", format(IdFormat.CROCKFORD)),
        CROCKFORD_CHECKED("`IdFormat.CROCKFORD_CHECKED`", format(IdFormat.CROCKFORD_CHECKED)),
        BASE62("`IdFormat.BASE62`", format(IdFormat.BASE62)),
        LONG("`Long.toString`, `Long.parseLong`", new Codec() {
            @Override
            public String write(long id) {
                return Long.toString(id);
            }

            @Override
            public long read(String text) {
                return Long.parseLong(text);
            }
        }),
        CHECKED("`PublicIds`, checked", publicIds(Format.CHECKED)),
        COMPACT("`PublicIds`, compact", publicIds(Format.COMPACT)),
        BOUNCY_CASTLE_CHECKED("Bouncy Castle's FF1, 104 bits", new BouncyCastle(104)),
        BOUNCY_CASTLE_SHORT("Bouncy Castle's FF1, 63 bits", new BouncyCastle(63)),
        HASHIDS("Hashids, ids of 53 bits", new Codec() {
            private final Hashids hashids = new Hashids(KEY);

            @Override
            public String write(long id) {
                return hashids.encode(id & Hashids.MAX_NUMBER - 1);
            }

            @Override
            public long read(String text) {
                return hashids.decode(text)[0];
            }
        }),
        SQIDS("Sqids", new Codec() {
            private final Sqids sqids = Sqids.builder().build();

            @Override
            public String write(long id) {
                return sqids.encode(List.of(id));
            }

            @Override
            public long read(String text) {
                return sqids.decode(text).get(0);
            }
        }),
        RANDOM_UUID("`UUID.randomUUID`, `UUID.fromString`", new Codec() {
            @Override
            public String write(long id) {
                return UUID.randomUUID().toString();
            }

            @Override
            public long read(String text) {
                return UUID.fromString(text).getLeastSignificantBits();
            }
        });

        final String shown;
        final Codec codec;

        Writer(String shown, Codec codec) {
            this.shown = shown;
            this.codec = codec;
        }
    }

    interface Codec {

        String write(long id);

        long read(String text);
    }

    @Param
    Writer writer;

    private Codec codec;

    /** The IDs of a thread, and their texts. */
    @State(Scope.Thread)
    public static class Ids {

        private final long[] ids = new long[1024];
        private final String[] texts = new String[ids.length];
        private int next;

        @Setup
        public void make(Text text) {
            for (int i = 0; i < ids.length; i++) {
                ids[i] = FIRST_ID + i * 4_194_305L;
                texts[i] = text.writer.codec.write(ids[i]);
            }
        }

        private int next() {
            return next++ & ids.length - 1;
        }
    }

    @Setup
    public void make() {
        codec = writer.codec;
    }

    @Benchmark
    public String write(Ids ids) {
        return codec.write(ids.ids[ids.next()]);
    }

    @Benchmark
    public long read(Ids ids) {
        return codec.read(ids.texts[ids.next()]);
    }

    private static Codec format(IdFormat format) {
        return new Codec() {
            @Override
            public String write(long id) {
                return format.format(id);
            }

            @Override
            public long read(String text) {
                return format.parse(text);
            }
        };
    }

    private static Codec publicIds(Format length) {
        PublicIds publicIds = PublicIds.of(length, List.of(Key.of("a", KEY)));
        return new Codec() {
            @Override
            public String write(long id) {
                return publicIds.encode("order", id);
            }

            @Override
            public long read(String text) {
                return publicIds.decode("order", text);
            }
        };
    }

    /**
     * Encrypts bits, since its digits are bytes; text would be an additional cost. It has two engines with a lock,
     * which serve one caller at a time.
     */
    private static final class BouncyCastle implements Codec {

        private final int bits;
        private final FPEFF1Engine encryption = engine(true);
        private final FPEFF1Engine decryption = engine(false);

        BouncyCastle(int bits) {
            this.bits = bits;
        }

        private static FPEFF1Engine engine(boolean encrypts) {
            FPEFF1Engine engine = new FPEFF1Engine();
            KeyParameter key = new KeyParameter(Base64.getDecoder().decode(KEY));
            engine.init(encrypts, new FPEParameters(key, 2, "order".getBytes(StandardCharsets.UTF_8)));
            return engine;
        }

        @Override
        public synchronized String write(long id) {
            byte[] digits = new byte[bits];
            for (int bit = 0; bit < 63; bit++) {
                digits[bit] = (byte) (id >>> 62 - bit & 1);
            }
            encryption.processBlock(digits, 0, bits, digits, 0);
            return new String(digits, StandardCharsets.ISO_8859_1);
        }

        @Override
        public synchronized long read(String text) {
            byte[] digits = text.getBytes(StandardCharsets.ISO_8859_1);
            decryption.processBlock(digits, 0, bits, digits, 0);
            long id = 0;
            for (int bit = 0; bit < 63; bit++) {
                id = id << 1 | digits[bit];
            }
            return id;
        }
    }
}
