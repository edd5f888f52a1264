package io.github.snowflakeid.internal.text;

/** The text form of IDs without encryption or formatting: a number, or its decimal digits. */
public enum PlainIdCodec implements IdTextCodec {

    /** A number if the data format has numbers, else digits. */
    NUMBER,

    /** Decimal digits. */
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
        return "an ID";
    }

    @Override
    public String toString() {
        return "@IdAsString";
    }
}
