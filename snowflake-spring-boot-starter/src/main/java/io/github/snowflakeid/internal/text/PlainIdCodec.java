package io.github.snowflakeid.internal.text;

/** An ID without a form of its own: a number, or its decimal digits. */
public enum PlainIdCodec implements IdTextCodec {

    /** A number where the format has numbers, digits elsewhere. */
    NUMBER,

    /** Digits. */
    STRING;

    @Override
    public String format(long id) {
        return Long.toString(id);
    }

    @Override
    public long parse(String text) {
        return Long.parseLong(text);
    }

    @Override
    public String pattern() {
        return "^[0-9]{1,19}$";
    }

    @Override
    public String inWords() {
        return "an id";
    }

    @Override
    public String toString() {
        return "@IdAsString";
    }
}
